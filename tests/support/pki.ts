/**
 * Certificates that openssl makes for a test: an authority of its own, and
 * what it issues.
 *
 * @module
 */
export interface IssuedFiles {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
}

interface TestAuthority {
  /** Path of the authority's certificate (PEM). */
  readonly ca: string;
  /**
   * Issues a certificate for names such as `DNS:localhost` or
   * `IP:127.0.0.1` that ends so many days from now, before it or after it.
   */
  readonly issue: (name: string, days: number) => Promise<IssuedFiles>;
}

/** Makes an authority whose files lie in a directory. */
export async function makeAuthority(directory: string): Promise<TestAuthority> {
  const ca = `${directory}/ca.pem`;
  const caKey = `${directory}/ca-key.pem`;
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  await openssl(
    ...["req", "-x509", ...curve, "-nodes", "-days", "30"],
    ...["-subj", "/CN=test authority", "-keyout", caKey, "-out", ca],
  );
  let issued = 0;
  return {
    ca,
    issue: async (name, days) => {
      const path = `${directory}/issued-${issued += 1}`;
      const files = { cert: `${path}.pem`, key: `${path}-key.pem` };
      await openssl(
        ...["req", ...curve, "-nodes", "-subj", "/CN=test"],
        ...["-keyout", files.key, "-out", `${path}.csr`],
      );
      await Deno.writeTextFile(
        `${path}.ext`,
        `basicConstraints=CA:FALSE\nsubjectAltName=${name}\n`,
      );
      await openssl(
        ...["x509", "-req", "-in", `${path}.csr`, "-out", files.cert],
        ...["-CA", ca, "-CAkey", caKey, "-set_serial", String(issued)],
        ...["-days", String(days), "-extfile", `${path}.ext`],
      );
      return files;
    },
  };
}

async function openssl(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
