/**
 * What others added, liked and said in the person's albums.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type { NewsCard } from "../../../workers/library/remarks/remark_cards.ts";
import { faultText } from "../../faults.ts";
import { listHref } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { messages, timeText } from "../../messages.ts";
import { Empty, Notice } from "../../parts/controls.tsx";
import { Cover } from "../../parts/cover.tsx";
import { href } from "../../routes.ts";
import { shownName, shownText, strangerName } from "../../safe_text.ts";
import { useTitle } from "../../title.ts";
import { revision, vault } from "../../vault.ts";

/** The view at `#/new`. */
export function ActivityView() {
  const { remarks } = messages.value;
  useTitle(remarks.news);
  const { value, error } = useLoaded(
    () => vault().remarks.news(),
    [revision.value],
  );
  // It stays marked as new until the person comes again.
  useEffect(() => () => {
    vault().remarks.seen().catch(() => {});
  }, []);
  return (
    <div class="view narrow" aria-busy={value === undefined}>
      <h1>{remarks.news}</h1>
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {value?.length === 0 && (
        <Empty icon="comment" title={remarks.nothingNew}>
          <p class="quiet measure">{remarks.newsHint}</p>
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <ul class="activity">
          {value.map((one) => <Entry key={one.key} of={one} />)}
        </ul>
      )}
    </div>
  );
}

function Entry({ of }: { readonly of: NewsCard }) {
  const { albums, remarks } = messages.value;
  const { album, count, noun, photos, what } = of;
  const { guestOf } = of;
  const shown = strangerName(of.name, albums);
  const name = guestOf === undefined
    ? shown
    : guestOf.me
    ? remarks.byOwnLink({ name: shown })
    : remarks.byLink({ name: shown, who: strangerName(guestOf.name, albums) });
  const title = shownName(album.title).trim() || albums.untitled;
  const says = what === "added"
    ? remarks.added({ name, album: title, n: count, noun })
    : what === "heart"
    ? remarks.liked({ name, album: title, n: count })
    : remarks.said({ name, album: title });
  return (
    <li data-fresh={of.fresh}>
      <p>
        <a href={href(album.kind, album.id)}>
          <bdi>{says}</bdi>
        </a>
        <span class="quiet small">{timeText(of.at)}</span>
      </p>
      {of.text !== undefined && (
        <p class="remark-text" dir="auto">{shownText(of.text)}</p>
      )}
      <p class="activity-photos">
        {photos.map((id) => (
          <a
            key={id}
            href={listHref({ kind: album.kind, id: album.id }, id)}
            aria-label={remarks.open}
          >
            <Cover id={id} icon="photos" />
          </a>
        ))}
      </p>
    </li>
  );
}
