/**
 * The export of everything that a person has.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { ExportPlan } from "../../workers/media/zip_plan.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { revision, vault } from "../vault.ts";
import { messages, sizeText } from "../messages.ts";
import { OpenHidden } from "../screens/albums/open_hidden.tsx";
import { saveMany } from "./saving.ts";
import { saving } from "./state.ts";

/** From this size on, the command line is recommended (bytes). */
const LARGE_BYTES = 20_000_000_000;

/** What is over stays shown until someone closes it, and stops nothing. */
function isUnderWay(): boolean {
  const held = saving.value;
  return held !== undefined && held.isOver !== true && held.fault === undefined;
}

/** The plan of the export; undefined until the vault has made it. */
export function useExportPlan(): ExportPlan | undefined {
  const [plan, setPlan] = useState<ExportPlan>();
  const seen = revision.value;
  useEffect(() => {
    let gone = false;
    vault().saving.planExport().then((made) => {
      if (!gone) setPlan(made);
    });
    return () => {
      gone = true;
    };
  }, [seen]);
  return plan;
}

/** How much is in the export, and what is not. */
export function ExportContents({ plan }: { readonly plan: ExportPlan }) {
  const { saving: { all } } = messages.value;
  const { files, bytes, trash, unopened } = plan;
  return (
    <>
      <p class="quiet">
        {files === 0 ? all.empty : all.size({ files, size: sizeText(bytes) })}
      </p>
      {trash > 0 && <p class="quiet">{all.trash({ n: trash })}</p>}
      {unopened > 0 && (
        <Notice kind="warn">{all.unopened({ n: unopened })}</Notice>
      )}
    </>
  );
}

/** The size of the export, and the button. */
export function ExportAll() {
  const { saving: { all } } = messages.value;
  const plan = useExportPlan();
  return (
    <section class="export-all">
      <p>{all.why}</p>
      {plan !== undefined && (
        <>
          <ExportContents plan={plan} />
          {plan.withoutHidden && (
            <>
              <Notice kind="warn">{all.hidden}</Notice>
              <OpenHidden />
            </>
          )}
          {plan.bytes > LARGE_BYTES && <p>{all.cli}</p>}
          {plan.files > 0 && (
            <Button
              icon="download"
              disabled={isUnderWay()}
              onClick={() => saveMany("everything", { isExport: true })}
            >
              {plan.withoutHidden ? all.without : all.begin}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
