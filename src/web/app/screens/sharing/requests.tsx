/**
 * All upload links: requests for photos.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Empty, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import type { RequestCard } from "../../../workers/library/sharing/sharing_cards.ts";
import { messages } from "../../messages.ts";
import { endText } from "./links.tsx";
import { MakeRequest } from "./make_request.tsx";

/** The requests, the newest first. */
export function Requests() {
  const { sharing } = messages.value;
  const { value, error, again } = useLoaded(
    () => vault().sharing.requests(),
    [revision.value],
  );
  const make = () =>
    overlay((close) => (
      <MakeRequest
        onClose={() => {
          close();
          again();
        }}
      />
    ));
  if (error !== undefined && value === undefined) {
    return <Notice>{faultText(error)}</Notice>;
  }
  if (value === undefined) return <div aria-busy="true" />;
  if (value.length === 0) {
    return (
      <Empty icon="inbox" title={sharing.emptyRequests}>
        <p class="quiet measure">{sharing.emptyRequestsHint}</p>
        <Button kind="main" onClick={make}>{sharing.request}</Button>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <div class="actions">
        <Button kind="main" icon="add" onClick={make}>{sharing.request}</Button>
      </div>
      <ul class="lines wide">
        {value.map((one) => (
          <li key={one.opaqueId}>
            <a class="line" href={href("sharing", "request", one.opaqueId)}>
              <Icon name="inbox" size={24} />
              <span class="line-text">
                <span class="card-title">
                  {one.note ?? sharing.untitledRequest}
                </span>
                <span class="quiet small">
                  {usedText(one)} · {endText(one)}
                </span>
              </span>
              <Icon name="right" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The text that says how much of a request is used. */
export function usedText({ filesUsed, maxFiles }: RequestCard): string {
  return messages.value.sharing.used({ n: filesUsed, of: maxFiles });
}
