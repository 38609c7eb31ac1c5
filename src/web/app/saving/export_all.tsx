/**
 * The export of everything that a person has.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { ZipPlan } from "../../workers/zip_plan.ts";
import { Button } from "../parts/controls.tsx";
import { revision, vault } from "../vault.ts";
import { messages, sizeText } from "../messages.ts";
import { saveMany } from "./saving.ts";
import { saving } from "./state.ts";

/** From this size on, the command line is recommended (bytes). */
const LARGE_BYTES = 20_000_000_000;

/** What is over stays shown until somebody closes it, and stops nothing. */
function isUnderWay(): boolean {
  const held = saving.value;
  return held !== undefined && held.isOver !== true && held.fault === undefined;
}

/** The size of the export, and the button. */
export function ExportAll() {
  const { saving: { all } } = messages.value;
  const [plan, setPlan] = useState<ZipPlan>();
  const seen = revision.value;
  useEffect(() => {
    let gone = false;
    vault().saving.plan("everything").then((made) => {
      if (!gone) setPlan(made);
    });
    return () => {
      gone = true;
    };
  }, [seen]);
  return (
    <section class="export-all">
      <p>{all.why}</p>
      {plan !== undefined &&
        (plan.files === 0 ? <p class="quiet">{all.empty}</p> : (
          <>
            <p class="quiet">
              {all.size({ files: plan.files, size: sizeText(plan.bytes) })}
            </p>
            {plan.bytes > LARGE_BYTES && <p>{all.cli}</p>}
            <Button
              icon="download"
              disabled={isUnderWay()}
              onClick={() => saveMany("everything", { isExport: true })}
            >
              {all.begin}
            </Button>
          </>
        ))}
    </section>
  );
}
