/**
 * `deno task messages`: says what is wrong with the texts of each language, and
 * updates what is generated of the English ones.
 *
 * @module
 */
import { problemsOf } from "./messages/checking.ts";
import { generated } from "./messages/generating.ts";
import { textsOf } from "./messages/reading.ts";
import { codeThatSays, unsaidTexts } from "./messages/using.ts";
import { catalogueOf, LANGUAGES, MESSAGES } from "./web/catalogues.ts";

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
  for (const path of unsaidTexts(catalogueOf("en"), codeThatSays())) {
    wrong++;
    say(`${path}: the app never says it`);
  }
  for (const [name, text] of generated()) {
    Deno.writeTextFileSync(new URL(name, MESSAGES), text);
  }
  if (wrong > 0) Deno.exit(1);
}
