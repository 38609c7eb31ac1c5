/**
 * The albums of other servers, below the account's own.
 *
 * @module
 */
import { useLoaded } from "../loaded.ts";
import { messages } from "../messages.ts";
import { Button } from "../parts/controls.tsx";
import { Cover } from "../parts/cover.tsx";
import { href } from "../routes.ts";
import { revision, vault } from "../vault.ts";
import { acceptInvitation } from "./accepting.tsx";

/** The albums, and the way to accept an invitation. */
export function AlbumsAbroad() {
  const { abroad, albums } = messages.value;
  const { value = [] } = useLoaded(
    () => vault().abroad.overview(),
    [revision.value],
  );
  return (
    <section class="album-section">
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
        <Button kind="quiet" icon="outside" onClick={acceptInvitation}>
          {abroad.haveLink}
        </Button>
      </div>
    </section>
  );
}
