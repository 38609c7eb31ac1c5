/**
 * Certificates made by openssl, as an operator's authority would make them.
 *
 * @module
 */
import assert from "node:assert/strict";

async function openssl(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args })
    .output();
  assert(success, new TextDecoder().decode(stderr));
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];

export interface Authority {
  /** PEM of its own certificate. */
  readonly pem: string;
  /**
   * Issues a certificate for 127.0.0.1 and localhost, with a key of its own,
   * and puts both into `cert` and `key`, the way a renewal does: over the old.
   */
  readonly issue: (
    name: string,
    files: { readonly cert: string; readonly key: string },
    options?: IssueOptions,
  ) => Promise<void>;
}

/** What is unlike a certificate that is good for two days from now on. */
interface IssueOptions {
  /** As openssl has dates: YYMMDDHHMMSSZ. */
  readonly from?: string;
  readonly to?: string;
  /** As openssl has them, such as `DNS:localhost`. */
  readonly names?: string;
}

/** Makes an authority whose files lie in a directory. */
export async function makeAuthority(directory: string): Promise<Authority> {
  const [ca, caKey] = [`${directory}/ca.pem`, `${directory}/ca.key`];
  const request = ["req", ...NEW_KEY, "-nodes"];
  await openssl(
    ...[...request, "-x509", "-days", "2", "-subj", "/CN=authority"],
    ...["-keyout", caKey, "-out", ca],
  );
  return {
    pem: await Deno.readTextFile(ca),
    async issue(name, { cert, key }, options = {}) {
      const made = `${directory}/${name}`;
      await Deno.writeTextFile(
        `${made}.ext`,
        `subjectAltName=${options.names ?? "DNS:localhost,IP:127.0.0.1"}\n` +
          "basicConstraints=CA:FALSE\n",
      );
      await openssl(
        ...[...request, "-subj", `/CN=${name}`],
        ...["-keyout", `${made}.key`, "-out", `${made}.csr`],
      );
      const dated = options.from !== undefined || options.to !== undefined;
      await (dated ? issueDated(made, { ca, caKey }, options) : openssl(
        ...["x509", "-req", "-in", `${made}.csr`, "-days", "2"],
        ...["-CA", ca, "-CAkey", caKey, "-CAcreateserial"],
        ...["-extfile", `${made}.ext`, "-out", `${made}.pem`],
      ));
      await Deno.rename(`${made}.key`, key);
      await Deno.rename(`${made}.pem`, cert);
    },
  };
}

/** Signs a request for other dates than now: `x509` knows days alone. */
async function issueDated(
  made: string,
  { ca, caKey }: { readonly ca: string; readonly caKey: string },
  { from = "200101000000Z", to = "490101000000Z" }: IssueOptions,
): Promise<void> {
  await Deno.writeTextFile(`${made}.index`, "");
  await Deno.writeTextFile(
    `${made}.cnf`,
    "[ca]\ndefault_ca = own\n[own]\n" +
      `database = ${made}.index\nnew_certs_dir = ${
        made.slice(0, made.lastIndexOf("/"))
      }\n` +
      "rand_serial = yes\ndefault_md = sha256\npolicy = any\n" +
      "[any]\ncommonName = supplied\n",
  );
  await openssl(
    ...["ca", "-batch", "-notext", "-config", `${made}.cnf`],
    ...["-cert", ca, "-keyfile", caKey, "-in", `${made}.csr`],
    ...["-extfile", `${made}.ext`, "-startdate", from, "-enddate", to],
    ...["-out", `${made}.pem`],
  );
}
