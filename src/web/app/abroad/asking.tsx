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
import { useDoing } from "../parts/doing.tsx";
import { LinkOut } from "../screens/sharing/link_out.tsx";
import { revision, vault } from "../vault.ts";
import { abroadFaultText } from "./fault_text.ts";

/** Who asks, and a way to let them in. */
export function AsksAgain({ albumId }: { readonly albumId: string }) {
  const { abroad, albums } = messages.value;
  const { value = [] } = useLoaded(
    () => vault().abroad.askers(albumId),
    [revision.value],
  );
  const { busy, fault, run } = useDoing(abroadFaultText);
  const [untold, setUntold] = useState<{ name: string; link: string }>();
  const letIn = async (member: string, name: string) => {
    const { link, isTold } = await vault().abroad.invite(albumId, member);
    if (!isTold) setUntold({ name, link });
  };
  return (
    <>
      {fault !== undefined && <Notice>{fault}</Notice>}
      {untold !== undefined && (
        <Notice>
          <p>{abroad.sendLink({ name: untold.name })}</p>
          <LinkOut url={untold.link} title="" />
        </Notice>
      )}
      {value.map(({ member, name = albums.somebody, host, text }) => (
        <Notice key={member}>
          <p>{abroad.asksAgain({ name, host })}</p>
          {text !== undefined && <p class="quiet">{text}</p>}
          <div class="actions start">
            <Button
              busy={busy}
              onClick={() =>
                run(() => letIn(member, name))}
            >
              {abroad.letIn({ name })}
            </Button>
            <Button
              busy={busy}
              onClick={() => run(() => vault().abroad.notNow(albumId, member))}
            >
              {albums.notNow}
            </Button>
          </div>
        </Notice>
      ))}
    </>
  );
}
