/**
 * All texts of the app in the person's language, for what is fetched after the
 * first load: `part` brings them with it.
 *
 * @module
 */
import { computed } from "@preact/signals";
import { firstWords, laterWords } from "./first_words.ts";
import type { Words } from "./words/en.ts";
export {
  chooseLanguage,
  language,
  LANGUAGES,
  locale,
  localeOf,
  numberText,
  sizeText,
  timeText,
} from "./first_words.ts";

/**
 * The texts in use. Read the signal where a text is shown, so that it follows
 * the language.
 */
export const words = computed<Words>(() => {
  const later = laterWords.value;
  if (later === undefined) throw new Error("the texts are not here yet");
  return { ...firstWords.value, ...later };
});
