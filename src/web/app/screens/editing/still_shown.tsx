/**
 * A notice that names the links which may still show a photo as it was before an
 * edit. It stays until it is put away.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import { IconButton } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { stillShown, vault } from "../../vault.ts";

/** The others are named once these are put away. */
const MOST = 5;

/** The notice; empty if there are no such links. */
export function StillShown() {
  const links = (stillShown.value ?? []).slice(0, MOST);
  if (links.length === 0) return null;
  const { editing, entry, hiding } = messages.value;
  const putAway = () => {
    const ids = links.map(({ opaqueId }) => opaqueId);
    vault().viewing.toldStillShown(ids).catch(() => {
      // It is said again at the next start.
    });
  };
  return (
    <section class="still-shown">
      <Icon name="warning" />
      <div role="status">
        {editing.stillSeen}
        <ul>
          {links.map(({ opaqueId, name }) => (
            <li key={opaqueId}>{hiding.link({ title: name })}</li>
          ))}
        </ul>
      </div>
      <IconButton icon="close" label={entry.noted} onClick={putAway} />
    </section>
  );
}
