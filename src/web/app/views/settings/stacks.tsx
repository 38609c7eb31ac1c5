/**
 * Stacks in the settings: whether there are any.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Check } from "../../parts/choices.tsx";
import { toast } from "../../parts/toasts.tsx";
import { revision, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Group, Waiting } from "./parts.tsx";

/** The box of stacks. */
export function StacksSettings() {
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
