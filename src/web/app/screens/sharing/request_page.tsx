/**
 * One request for photos: handing it out again, and ending it.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Empty, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { dayText, messages, sizeText } from "../../messages.ts";
import { isPast } from "./endings.ts";
import { LinkOut } from "./link_out.tsx";
import { endText } from "./links.tsx";
import { usedText } from "./requests.tsx";

/** The view at `#/sharing/request/<id>`. */
export function RequestPage({ id }: { readonly id: string }) {
  const { sharing } = messages.value;
  const { value, here, error } = useLoaded(async () => {
    const requests = await vault().sharing.requests();
    const request = requests.find(({ opaqueId }) => opaqueId === id);
    if (request === undefined) return undefined;
    const inbox = await vault().sharing.inbox();
    const waits = inbox.filter(({ opaqueId }) => opaqueId === id).length;
    return { request, waits };
  }, [id, revision.value]);
  const back = href("sharing", "requests");
  if (error !== undefined && value === undefined) {
    return <Notice>{faultText(error)}</Notice>;
  }
  if (!here) return <div aria-busy="true" />;
  if (value === undefined) {
    return (
      <Empty icon="inbox" title={sharing.requestEnded}>
        <a class="button" href={back}>{sharing.requests}</a>
      </Empty>
    );
  }
  const { request, waits } = value;
  const title = request.note ?? sharing.untitledRequest;
  const facts = [
    ...request.mine ? [sharing.ownRequest] : [],
    usedText(request),
    `${sizeText(request.bytesUsed)} / ${sizeText(request.maxBytes)}`,
    sharing.madeAt({
      when: dayText(request.createdAt),
    }),
    endText(request),
  ];
  return (
    <div class="view narrow">
      <header class="album-head">
        <a class="back" href={back}>
          <Icon name="back" /> {sharing.requests}
        </a>
        <h1>{title}</h1>
        <p class="quiet">{facts.join(" · ")}</p>
      </header>
      {waits > 0 && (
        <Notice kind="info">
          <a href={href("sharing", "inbox")}>
            {messages.value.shell.waitingFiles({ n: waits })}
          </a>
        </Notice>
      )}
      {!isPast(request.expiresAt) && (
        <LinkOut
          url={request.url}
          title={title}
        />
      )}
      <div class="actions">
        <Button
          kind="danger"
          icon="close"
          onClick={() =>
            confirm({
              title: sharing.endRequestTitle,
              text: waits > 0
                ? sharing.endRequestText
                : sharing.endRequestEmpty,
              action: sharing.endRequest,
              act: async () => {
                await vault().sharing.endRequest(id);
                goInstead(back);
                toast(sharing.requestEnded);
              },
            })}
        >
          {sharing.endRequest}
        </Button>
      </div>
    </div>
  );
}
