/**
 * `strongroom healthcheck`: whether the configured server answers. Containers
 * without a shell probe with it, which is why `--help` does not list it.
 *
 * @module
 */
import type { Command } from "commander";
import type { Config, Listen } from "../../config.ts";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import { SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { certificateEnd } from "../../server/tls/certificate.ts";
import { loadConfig } from "../environment.ts";
import { tlsFault } from "../tls_fault.ts";
import { addVerb, type CommandContext } from "../verb.ts";

/** A server that takes longer is not well. */
const PATIENCE_MS = 5 * SECOND_MS;
/** Far above what the answer takes. */
const ANSWER_MAX_BYTES = 64 * 1024;

/** Adds `healthcheck` to the program. */
export function addHealthcheckCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "healthcheck",
    isHidden: true,
    description:
      "request /healthz from the configured server, at its metrics " +
      "address if it has one, otherwise at its first listen address",
    example: "healthcheck",
    async run({ options }) {
      const config = loadConfig(options);
      const place = probedPlace(config);
      const status = await probe(config, place);
      const where = nameOf(place);
      if (status === 200) {
        return {
          json: { status: "ok", listen: where },
          lines: [`${where} is well`],
        };
      }
      throw new OperatorFault(
        `${where} answers /healthz with ${status ?? "no HTTP"}: see the ` +
          "server's log",
      );
    },
  });
}

/** The first listener of the metrics, of unix sockets, of TCP: in that order. */
function probedPlace(config: Config): Listen {
  const metrics = config.STRONGROOM_METRICS_LISTEN;
  const own = config.STRONGROOM_LISTEN;
  const place = metrics[0] ?? own.find(({ kind }) => kind === "unix") ?? own[0];
  if (place === undefined) throw new Error("listens nowhere");
  if (place.kind === "tcp" && place.port === 0) {
    throw new OperatorFault(
      "STRONGROOM_LISTEN has port 0, which is any port: give the port to " +
        "probe",
    );
  }
  return place;
}

async function probe(
  config: Config,
  place: Listen,
): Promise<number | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let connection: Deno.Conn | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer in ${PATIENCE_MS / SECOND_MS} s`)),
      PATIENCE_MS,
    );
  });
  const asked = connect(config, place).then((opened) => {
    connection = opened;
    return ask(opened);
  });
  try {
    return await Promise.race([asked, tooLong]);
  } catch (cause) {
    const reason = reasonOf(cause);
    const fault = tlsFault(reason);
    if (fault !== undefined) {
      const end = certificateEnd(config);
      const dated = fault.kind === "expired" && end !== undefined &&
          !fault.what.includes("until")
        ? `${fault.what} (it was valid until ${toRfc3339(end)})`
        : fault.what;
      throw new OperatorFault(
        `${nameOf(place)} answers, but ${dated}: ` +
          (fault.kind === "unknown_authority"
            ? "append that authority's certificate to the file of " +
              "STRONGROOM_TLS_CERT, or trust it for this command with " +
              "DENO_CERT=FILE"
            : fault.mend),
      );
    }
    throw new OperatorFault(
      `${nameOf(place)} does not answer (${reason}): start the server, ` +
        "or give this command the server's settings",
    );
  } finally {
    clearTimeout(timer);
    asked.catch(() => {});
    connection?.close();
  }
}

async function connect(config: Config, place: Listen): Promise<Deno.Conn> {
  if (place.kind === "unix") {
    return await Deno.connect({ transport: "unix", path: place.path });
  }
  const { port } = place;
  const hostname = reachable(place.hostname);
  const certificate = config.STRONGROOM_TLS_CERT;
  const speaksTls = certificate !== undefined &&
    !config.STRONGROOM_METRICS_LISTEN.includes(place);
  const connection = await Deno.connect({ hostname, port });
  if (!speaksTls) return connection;
  // The certificate is the name's, which need not be the listen address.
  const origin = config.STRONGROOM_BASE_URL;
  return await Deno.startTls(connection, {
    hostname: origin === undefined ? hostname : new URL(origin).hostname,
    caCerts: [await Deno.readTextFile(certificate)],
  });
}

/** Where a server that listens on every address is to be found. */
function reachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "::" ? "::1" : hostname;
}

/** The status of the answer; undefined where it is no HTTP. */
async function ask(connection: Deno.Conn): Promise<number | undefined> {
  await connection.write(new TextEncoder().encode(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  ));
  const buffer = new Uint8Array(ANSWER_MAX_BYTES);
  const length = await connection.read(buffer) ?? 0;
  const line = new TextDecoder().decode(buffer.subarray(0, length));
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
  return status === undefined ? undefined : Number(status);
}

function nameOf(place: Listen): string {
  return place.kind === "unix"
    ? `unix:${place.path}`
    : `${place.hostname}:${place.port}`;
}
