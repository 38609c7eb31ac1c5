/**
 * The settings page `look`: language, colours, and what the photos are
 * shown with.
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
import { Group, Waiting } from "./parts.tsx";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Check } from "../../parts/choices.tsx";
import { Button } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { revision, vault } from "../../vault.ts";

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
    </>
  );
}

/** Whether there are memories, and what is left out. */
function MemoriesSettings() {
  const { memories, photos } = messages.value;
  const loaded = useLoaded(
    () => vault().memories.settings(),
    [revision.value],
  );
  const told = (error: unknown) => toast(faultText(error));
  const { value } = loaded;
  return (
    <Group title={memories.title}>
      {value === undefined ? <Waiting loaded={loaded} /> : (
        <>
          <Check
            label={memories.on}
            checked={value.isOn}
            onChange={(isOn) => vault().memories.turn(isOn).catch(told)}
          >
            {memories.why}
          </Check>
          {value.hidden > 0 && (
            <div class="line">
              <p>{memories.leftOut({ n: value.hidden })}</p>
              <Button
                onClick={() => vault().memories.showAgain().catch(told)}
              >
                {photos.unhide}
              </Button>
            </div>
          )}
        </>
      )}
    </Group>
  );
}

/** Whether there are stacks. */
function StacksSettings() {
  const { stacks } = messages.value;
  const loaded = useLoaded(
    () => vault().settings.wantsStacks(),
    [revision.value],
  );
  const told = (error: unknown) => toast(faultText(error));
  const { value } = loaded;
  return (
    <Group title={stacks.title}>
      {value === undefined ? <Waiting loaded={loaded} /> : (
        <Check
          label={stacks.on}
          checked={value}
          onChange={(isOn) => vault().settings.turnStacks(isOn).catch(told)}
        >
          {stacks.why}
        </Check>
      )}
    </Group>
  );
}
