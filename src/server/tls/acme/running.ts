/**
 * The keeper of a certificate of a running server, with its port.
 *
 * @module
 */
import type { OpenedApp } from "../../../app.ts";
import type { AcmeSettings, Config } from "../../../config.ts";
import type { Platform } from "../../../core/platform.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { hostOf } from "../certificate_facts.ts";
import { keepCertificate } from "./keeper.ts";
import type { Listener } from "../../listener.ts";
import { endsWithin } from "../../within_time.ts";
import { INTERRUPTED_MS } from "../../successive_servers.ts";
import { openResponder } from "./responder.ts";

/** A keeper at work. */
export interface RunningKeeper {
  /** Whether there is a certificate. */
  readonly hasOne: () => boolean;
  /** Resolves once there is one. */
  readonly first: Promise<void>;
  /** Says whom to tell of another one. */
  readonly onNew: (tell: () => void) => void;
  /** What listens for the authority. */
  readonly listener: Listener;
  readonly close: () => Promise<void>;
}

/** Starts to keep the certificate of a server. */
export async function startKeeper(
  settings: AcmeSettings,
  config: Config,
  { app: { server: { serverId } } }: OpenedApp,
  platform: Platform,
): Promise<RunningKeeper> {
  const place = config.STRONGROOM_LISTEN.find(({ kind }) => kind === "tcp");
  const hostname = place?.kind === "tcp" ? place.hostname : "0.0.0.0";
  const responder = await openResponder(
    { hostname, port: settings.port },
    serverId,
    platform.log,
  );
  const ending = new AbortController();
  const first = Promise.withResolvers<void>();
  let hasOne = false;
  let tell = () => {};
  const keeping = keepCertificate({
    settings,
    host: hostOf(serverId),
    files: denoFiles,
    responder,
    platform,
  }, {
    onFirst() {
      hasOne = true;
      first.resolve();
    },
    onNew: () => tell(),
    signal: ending.signal,
  });
  // What cannot be kept at all is told where it is waited for.
  keeping.catch((error) => first.reject(error));
  let closing: Promise<void> | undefined;
  return {
    hasOne: () => hasOne,
    first: first.promise,
    onNew: (given) => tell = given,
    listener: responder.listener,
    close: () =>
      closing ??= (async () => {
        ending.abort();
        // A connection on which nothing is asked must not delay the end.
        await endsWithin(INTERRUPTED_MS, responder.listener.shutdown());
        await keeping.catch(() => {});
      })(),
  };
}
