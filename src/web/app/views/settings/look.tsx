/**
 * The settings page `look`: language and colour scheme.
 *
 * @module
 */
import {
  type Appearance,
  appearance,
  chooseAppearance,
} from "../../appearance.ts";
import {
  chooseLanguage,
  language,
  LANGUAGES,
  messages,
} from "../../messages.ts";
import { Choice } from "./choice.tsx";
import { ofThings, ofWords, Settings } from "../findings/choice.tsx";
import { MeaningSettings } from "../meaning/choice.tsx";
import { FacesSettings } from "../people/choice.tsx";

import { MemoriesSettings } from "./memories.tsx";
import { Group } from "./parts.tsx";
import { StacksSettings } from "./stacks.tsx";

const LOOKS: readonly Appearance[] = ["auto", "light", "dark"];

/** The page `look`. */
export function Look() {
  const { settings } = messages.value;
  return (
    <>
      <Group>
        <Choice
          label={settings.language}
          value={language.value}
          options={Object.entries(LANGUAGES)}
          onChange={(tag) => chooseLanguage(tag)}
        />
        <Choice
          label={settings.look}
          value={appearance.value}
          options={LOOKS.map((one) => [one, settings.looks[one]])}
          onChange={(value) =>
            chooseAppearance(LOOKS.find((one) => one === value) ?? "auto")}
        />
      </Group>
      <StacksSettings />
      <MemoriesSettings />
      <FacesSettings />
      <Settings kind={ofThings()} />
      <Settings kind={ofWords()} />
      <MeaningSettings />
    </>
  );
}
