/**
 * Tells on the home who let the person into which album.
 *
 * @module
 */
import { news, seen } from "../../news.ts";
import { IconButton } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { href } from "../../routes.ts";
import { words } from "../../words.ts";

/** More are counted. */
const MOST_TOLD = 3;

/** The notices; nothing where there is nothing new. */
export function News() {
  const { albums, common } = words.value;
  const told = news.value.slice(0, MOST_TOLD);
  const more = news.value.length - told.length;
  return (
    <>
      {told.map(({ id, title, by }) => (
        <div class="notice info news" role="status" key={id}>
          <Icon name="people" />
          <p>
            {albums.letIn(by, title === "" ? albums.untitled : title)}{" "}
            <a href={href("album", id)}>{albums.look}</a>
          </p>
          <IconButton
            icon="close"
            size={18}
            label={common.close}
            onClick={() =>
              seen([id])}
          />
        </div>
      ))}
      {more > 0 && (
        <p>
          <a href={href("albums")}>{albums.moreNew(more)}</a>
        </p>
      )}
    </>
  );
}
