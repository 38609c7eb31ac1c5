/**
 * Reading a person's contact card: a link, a text or a file.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import type { CardRead } from "../../workers/abroad/abroad_cards.ts";
import { messages } from "../messages.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { useDoing } from "../parts/doing.tsx";
import { Field, Form } from "../parts/form.tsx";
import { vault } from "../vault.ts";
import { abroadFaultText } from "./fault_text.ts";

type Read = CardRead & { readonly outcome: "read" };

/** The form; `given` is in its field already. */
export function CardForm(
  { given = "", onRead }: {
    readonly given?: string;
    readonly onRead: (read: Read) => void;
  },
) {
  const { abroad, albums } = messages.value;
  const file = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(given);
  const { busy, fault, run, refuse } = useDoing(abroadFaultText);
  const [changed, setChanged] = useState<
    { readonly card: string | Blob; readonly shown: string }
  >();
  const [believed, setBelieved] = useState<Read>();
  const read = (card: string | Blob, believes?: string) =>
    run(async () => {
      setChanged(undefined);
      const found = await vault().abroad.addContact(card, believes);
      if (found.outcome === "changed") {
        setChanged({ card, shown: found.shown });
      } else if (believes === undefined) onRead(found);
      else setBelieved(found);
    });
  if (believed !== undefined) {
    const { name = albums.somebody } = believed.contact;
    return (
      <div class="stack">
        <Notice kind="info">{abroad.believed({ name })}</Notice>
        <div class="actions start">
          <Button kind="main" onClick={() => onRead(believed)}>
            {messages.value.common.next}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Form class="stack" onSubmit={() => read(typed)}>
      <Field
        label={abroad.card}
        hint={abroad.cardHint}
        value={typed}
        required
        autocomplete="off"
        fault={fault}
        onInput={(value) => {
          setTyped(value);
          refuse(undefined);
        }}
      />
      {changed !== undefined && (
        <>
          <Notice kind="warn">{abroad.changedCard}</Notice>
          <div class="actions start">
            <Button
              kind="danger"
              busy={busy}
              onClick={() => read(changed.card, changed.shown)}
            >
              {abroad.believe}
            </Button>
          </div>
        </>
      )}
      <div class="actions start">
        <Button kind="main" type="submit" busy={busy}>{abroad.readCard}</Button>
        <Button icon="file" onClick={() => file.current?.click()}>
          {abroad.cardFile}
        </Button>
      </div>
      <input
        ref={file}
        type="file"
        hidden
        accept=".strongroom-contact"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen !== undefined) read(chosen);
          event.currentTarget.value = "";
        }}
      />
    </Form>
  );
}
