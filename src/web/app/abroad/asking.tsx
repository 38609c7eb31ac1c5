/**
 * People of other servers who are no longer in an own album and ask to see it
 * again.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { useLoaded } from "../loaded.ts";
import { messages } from "../messages.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { revision, vault } from "../vault.ts";
import { abroadFaultText } from "./fault_text.ts";

/** Who asks, and a way to let them in. */
export function AsksAgain({ albumId }: { readonly albumId: string }) {
  const { abroad, albums } = messages.value;
  const { value = [] } = useLoaded(
    () => vault().abroad.askers(albumId),
    [revision.value],
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const letIn = async (member: string) => {
    setBusy(true);
    setFault(undefined);
    try {
      await vault().abroad.invite(albumId, member);
    } catch (error) {
      setFault(abroadFaultText(error));
    }
    setBusy(false);
  };
  return (
    <>
      {fault !== undefined && <Notice>{fault}</Notice>}
      {value.map(({ member, name = albums.somebody, host, text }) => (
        <Notice key={member}>
          <p>{abroad.asksAgain({ name, host })}</p>
          {text !== undefined && <p class="quiet">{text}</p>}
          <div class="actions start">
            <Button
              busy={busy}
              onClick={() =>
                letIn(member)}
            >
              {abroad.letIn({ name })}
            </Button>
          </div>
        </Notice>
      ))}
    </>
  );
}
