/**
 * The settings page `delete`: deleting the account.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { Group } from "./parts.tsx";

/** The page `delete`. */
export function DeletePage() {
  const { settings } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const isSure = typed.trim().toLowerCase() === settings.deleteWord;
  return (
    <Group>
      <Notice kind="warn">{settings.deleteWhy}</Notice>
      <ul class="bullets">
        {settings.deleteGoes.map((one) => <li key={one}>{one}</li>)}
      </ul>
      <p>{settings.deleteStays} {settings.deleteExport}</p>
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
