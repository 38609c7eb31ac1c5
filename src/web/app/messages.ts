/**
 * All texts of the app in the person's language, for what is fetched after the
 * first load: `part` brings them with it.
 *
 * @module
 */
import { computed } from "@preact/signals";
import { firstMessages, laterMessages } from "./first_messages.ts";
import type { Messages } from "./messages/types.ts";
export {
  chooseLanguage,
  dayText,
  fetchedTexts,
  language,
  LANGUAGES,
  listText,
  locale,
  numberText,
  sizeText,
  textNamed,
  timeText,
} from "./first_messages.ts";

/**
 * The texts in use. Read the signal where a text is shown, so that it follows
 * the language.
 */
export const messages = computed<Messages>(() => {
  const later = laterMessages.value;
  if (later === undefined) throw new Error("the texts are not here yet");
  return { ...firstMessages.value, ...later };
});
