/**
 * A release's bill of materials, CycloneDX 1.6 in JSON (ECMA-424): the program,
 * the runtime that carries it, and each package of which something is inside.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ROOT, VERSION } from "./release.ts";
import { licenceNameOf, type ThirdParty } from "./third_parties.ts";

/** The runtime's licence; npm's package of it names the same. */
const RUNTIME_LICENCE = "MIT";

interface Component {
  readonly type: "library" | "platform";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
  /** Of the package as the registry hands it out, by deno.lock. */
  readonly hashes?: readonly {
    readonly alg: "SHA-512";
    readonly content: string;
  }[];
}

/**
 * The document as text. It is the same of the same packages and date: its
 * serial number is made of what it says (a UUID of version 8, RFC 9562).
 *
 * @param date seconds since 1970 that the release bears
 */
export async function billOfMaterials(
  parties: readonly ThirdParty[],
  date: number,
): Promise<string> {
  const hashes = await hashesOfLock();
  const components = await Promise.all(parties.map((party) => {
    const hash = hashes.get(`${party.name}@${party.version}`);
    return componentOf(party, hash);
  }));
  components.push({
    type: "platform",
    ...identity("deno", Deno.version.deno),
    licenses: [{ expression: RUNTIME_LICENCE }],
  });
  components.sort((a, b) => a.purl < b.purl ? -1 : 1);
  const program = identity("strongroom", VERSION);
  const bom = {
    version: 1,
    metadata: {
      timestamp: new Date(date * 1_000).toISOString(),
      component: {
        type: "application",
        ...program,
        licenses: [{ expression: "Apache-2.0" }],
      },
    },
    components,
    dependencies: [{
      ref: program["bom-ref"],
      dependsOn: components.map((one) => one["bom-ref"]),
    }],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom))}`;
  const head = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber,
  };
  return `${JSON.stringify({ ...head, ...bom }, null, 1)}\n`;
}

/** A name in the npm registry as a package URL (ECMA-427). */
function identity(name: string, version: string) {
  const purl = name === "strongroom"
    ? `pkg:generic/${name}@${version}`
    : `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { "bom-ref": purl, name, version, purl };
}

async function componentOf(
  { name, version, folder }: ThirdParty,
  hash: string | undefined,
): Promise<Component> {
  const licence = await licenceNameOf(folder);
  return {
    type: "library",
    ...identity(name, version),
    licenses: licence === undefined ? [] : [{ expression: licence }],
    ...hash === undefined ? {} : {
      hashes: [{ alg: "SHA-512", content: hash }],
    },
  };
}

/** The packages of deno.lock with their hashes in hex, by name@version. */
async function hashesOfLock(): Promise<ReadonlyMap<string, string>> {
  const lock: { npm: Record<string, { integrity?: string }> } = JSON.parse(
    await Deno.readTextFile(`${ROOT}deno.lock`),
  );
  const found = new Map<string, string>();
  for (const [key, { integrity }] of Object.entries(lock.npm)) {
    const [, base64] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
    if (base64 === undefined) continue;
    // The key of a package with peer dependencies names these, too.
    const [name = ""] = key.split("_");
    found.set(name, Buffer.from(base64, "base64").toString("hex"));
  }
  return found;
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
