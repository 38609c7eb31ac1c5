/**
 * Memories in the settings: whether there are any, and what is left out.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Check } from "../../parts/choices.tsx";
import { Button } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { revision, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Group, Waiting } from "./parts.tsx";

/** The box of memories. */
export function MemoriesSettings() {
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
