/**
 * What of other people's work a bundle holds, and under which licences.
 *
 * @module
 */
import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import * as z from "zod";
import { PackagingFault, ROOT } from "./release.ts";

/** The bundler's remark above each module that came from a package. */
const FROM_PACKAGE =
  /^\/\/ (.*\/npm\/[^/]+\/)((?:@[^/\s]+\/)?[^/\s]+)\/([^/\s]+)(\/\S*)$/gm;

/** A package of which something is inside. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** The packages that a bundle names, sorted. */
export function thirdPartiesOf(bundle: string): ThirdParty[] {
  const found = new Map<string, ThirdParty>();
  for (
    const [, cache = "", name = "", version = ""] of bundle.matchAll(
      FROM_PACKAGE,
    )
  ) {
    const folder = resolve(ROOT, `${cache}${name}/${version}`);
    found.set(`${name}@${version}`, { name, version, folder });
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}

/** A package of which files are carried as they are. */
export function carriedParty(name: string): ThirdParty {
  const { resolve } = createRequire(import.meta.url);
  const folder = dirname(resolve(`${name}/package.json`));
  return { name, version: basename(folder), folder };
}

/** The bundle with remarks that do not tell of the machine that made it. */
export function withoutPlaces(bundle: string): string {
  return bundle.replaceAll(FROM_PACKAGE, "// npm:$2@$3$4");
}

/** The packages' own licences, one after the other, as they ask for. */
export async function licencesOf(
  parties: readonly ThirdParty[],
): Promise<string> {
  const parts = await Promise.all(parties.map(async (party) => {
    const name = `${party.name} ${party.version}`;
    return `${name}\n${"=".repeat(name.length)}\n\n${await licenceOf(party)}\n`;
  }));
  return `strongroom contains these packages.\n\n${parts.join("\n\n")}`;
}

async function licenceOf({ name, folder }: ThirdParty): Promise<string> {
  for await (const entry of Deno.readDir(folder)) {
    if (/^licen[cs]e/i.test(entry.name) && entry.isFile) {
      return (await Deno.readTextFile(`${folder}/${entry.name}`)).trim();
    }
  }
  // A few packages name theirs and leave the text out.
  const named = await licenceNameOf(folder);
  if (named !== undefined) return `Licence: ${named}`;
  throw new PackagingFault(`${name} names no licence`);
}

const Manifest = z.object({
  license: z.string().optional().catch(undefined),
  /** How npm had it before SPDX; ssh2 still does. */
  licenses: z.array(z.object({ type: z.string() })).optional()
    .catch(undefined),
});

/** The licence that a package's `package.json` names, an SPDX expression. */
export async function licenceNameOf(
  folder: string,
): Promise<string | undefined> {
  const { license, licenses = [] } = Manifest.parse(
    JSON.parse(await Deno.readTextFile(`${folder}/package.json`)),
  );
  const several = licenses.map(({ type }) => type).join(" OR ");
  return license ?? (several === "" ? undefined : several);
}
