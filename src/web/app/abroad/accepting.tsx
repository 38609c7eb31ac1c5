/**
 * Accepting an invitation to an album of another server.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { InvitationRead } from "../../workers/abroad/abroad_cards.ts";
import { messages } from "../messages.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useDoing } from "../parts/doing.tsx";
import { Field, Form } from "../parts/form.tsx";
import { overlay } from "../parts/overlays.tsx";
import { go, href } from "../routes.ts";
import { SafetyNumber } from "../screens/albums/safety_number.tsx";
import { vault } from "../vault.ts";
import { abroadFaultText } from "./fault_text.ts";

/** Asks for an invitation's link, or opens one that came, in a dialog. */
export function acceptInvitation(given?: string): void {
  overlay((close) => (
    <Accept {...(given === undefined ? {} : { given })} onClose={close} />
  ));
}

function Accept(
  { given, onClose }: {
    readonly given?: string;
    readonly onClose: () => void;
  },
) {
  const { abroad } = messages.value;
  return (
    <Dialog title={abroad.haveLink} onClose={onClose}>
      <Invitation
        {...(given === undefined ? {} : { given })}
        onAccepted={(id) => {
          onClose();
          go(href("abroad", id));
        }}
      />
    </Dialog>
  );
}

/** Reads an invitation, and lets the person accept it. */
export function Invitation(
  { given = "", onAccepted }: {
    /** The link; one that is given is read at once. */
    readonly given?: string;
    readonly onAccepted: (id: string) => void;
  },
) {
  const { abroad, albums } = messages.value;
  const [typed, setTyped] = useState(given);
  const [read, setRead] = useState<InvitationRead>();
  const { busy, fault, run, refuse } = useDoing(abroadFaultText);
  const look = () =>
    run(async () => setRead(await vault().abroad.readInvitation(typed)));
  useEffect(() => {
    if (given !== "") look();
  }, [given]);
  if (read === undefined) {
    return (
      <Form class="stack" onSubmit={look}>
        <Field
          label={abroad.link}
          hint={abroad.pasteLink}
          value={typed}
          required
          autofocus
          autocomplete="off"
          fault={fault}
          onInput={(value) => {
            setTyped(value);
            refuse(undefined);
          }}
        />
        <div class="actions">
          <Button kind="main" type="submit" busy={busy}>{abroad.read}</Button>
        </div>
      </Form>
    );
  }
  const { link, host, name, safetyNumber, isEnded } = read;
  return (
    <div class="stack">
      <p>{abroad.invites({ name: name ?? albums.somebody, host })}</p>
      {isEnded ? <Notice kind="warn">{abroad.faults.ended}</Notice> : (
        <>
          <p class="quiet">{abroad.look({ host })}</p>
          <p>{abroad.compare({ name: name ?? abroad.owner })}</p>
          <SafetyNumber number={safetyNumber} />
          <p class="quiet">{abroad.notCompared}</p>
        </>
      )}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {!isEnded && (
        <div class="actions">
          <Button
            kind="main"
            busy={busy}
            onClick={() =>
              run(async () => onAccepted(await vault().abroad.accept(link)))}
          >
            {albums.accept}
          </Button>
        </div>
      )}
    </div>
  );
}
