/**
 * `deno task messages`: says what is wrong with the texts of each language, and
 * makes what is generated of them anew.
 *
 * @module
 */
import { problemsOf } from "./messages/checking.ts";
import { generated } from "./messages/generating.ts";
import {
  catalogueOf,
  LANGUAGES,
  MESSAGES,
  textsOf,
} from "./messages/reading.ts";

if (import.meta.main) {
  const say = (text: string) =>
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  let wrong = 0;
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    const problems = problemsOf(tag);
    wrong += problems.length;
    const { size } = textsOf(catalogueOf(tag));
    say(`${tag} (${name}): ${size} texts, ${problems.length} problems`);
    for (const problem of problems) say(`  ${problem}`);
  }
  const folder = new URL("generated/", MESSAGES);
  const files = generated();
  for (const { name } of Deno.readDirSync(folder)) {
    if (!files.has(name)) Deno.removeSync(new URL(name, folder));
  }
  for (const [name, text] of files) {
    Deno.writeTextFileSync(new URL(name, folder), text);
  }
  if (wrong > 0) Deno.exit(1);
}
