/**
 * The albums of other servers, below the account's own.
 *
 * @module
 */
import type { InvitationWaiting } from "../../workers/abroad/abroad_cards.ts";
import { useLoaded } from "../loaded.ts";
import { messages } from "../messages.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { Cover } from "../parts/cover.tsx";
import { toast } from "../parts/toasts.tsx";
import { href } from "../routes.ts";
import { revision, vault } from "../vault.ts";
import { acceptInvitation } from "./accepting.tsx";
import { abroadFaultText } from "./fault_text.ts";

/** The albums, and the way to accept an invitation. */
export function AlbumsAbroad() {
  const { abroad, albums } = messages.value;
  const { value = [] } = useLoaded(
    () => vault().abroad.overview(),
    [revision.value],
  );
  const { value: waiting = [] } = useLoaded(
    () => vault().abroad.invitations(),
    [revision.value],
  );
  return (
    <section class="album-section">
      {waiting.map((one) => <Waiting key={one.id} invitation={one} />)}
      {value.length > 0 && <h2>{abroad.albums}</h2>}
      {value.length > 0 && (
        <ul class="cards">
          {value.map(({ id, host, title, cover, count, noun, stopped }) => (
            <li key={id}>
              <a class="card-link" href={href("abroad", id)}>
                <Cover id={cover} />
                <span class="card-title">
                  {title === "" ? albums.untitled : title}
                </span>
                <span class="quiet small">{abroad.on({ host })}</span>
                <span class="quiet small">
                  {albums.photos({ n: count, noun })}
                  {stopped !== undefined && ` · ${abroad.paused}`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <div class="actions start">
        <Button kind="quiet" icon="outside" onClick={() => acceptInvitation()}>
          {abroad.haveLink}
        </Button>
      </div>
    </section>
  );
}

/** An invitation that came by itself. */
function Waiting({ invitation }: { readonly invitation: InvitationWaiting }) {
  const { abroad, albums } = messages.value;
  const { id, link, host, name = albums.somebody } = invitation;
  const decline = () =>
    vault().abroad.decline(id).catch((error) => toast(abroadFaultText(error)));
  return (
    <Notice>
      <p>{abroad.invites({ name, host })}</p>
      <div class="actions start">
        <Button kind="main" onClick={() => acceptInvitation(link)}>
          {abroad.read}
        </Button>
        <Button onClick={decline}>{albums.decline}</Button>
      </div>
    </Notice>
  );
}
