/**
 * The settings page `delete`: deleting the account.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { href } from "../../routes.ts";
import { ExportContents, useExportPlan } from "../../saving/export_all.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Group } from "./parts.tsx";

/** The page `delete`. */
export function DeletePage() {
  const { settings, saving: { all } } = messages.value;
  const plan = useExportPlan();
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const isSure = typed.trim().toLowerCase() === settings.deleteWord;
  return (
    <Group>
      <Notice kind="warn">{settings.deleteWhy}</Notice>
      <ul class="bullets">
        {settings.deleteGoes.map((one) => <li key={one}>{one}</li>)}
      </ul>
      <p>{settings.deleteStays}</p>
      <p>
        {settings.deleteExport}{" "}
        <a href={href("settings", "export")}>{settings.pages.export}</a>
      </p>
      {plan !== undefined && <ExportContents plan={plan} />}
      {plan?.withoutHidden && <Notice kind="warn">{all.hidden}</Notice>}
      <Form
        class="stack"
        onSubmit={() => {
          if (isSure) doing.run(() => vault().settings.deleteAccount());
        }}
      >
        <Field
          label={settings.deleteType({ word: settings.deleteWord })}
          autocomplete="off"
          value={typed}
          onInput={setTyped}
        />
        <Refused doing={doing} />
        <div>
          <Button
            kind="danger"
            type="submit"
            busy={doing.busy}
            disabled={!isSure}
          >
            {settings.deleteAct}
          </Button>
        </div>
      </Form>
    </Group>
  );
}
