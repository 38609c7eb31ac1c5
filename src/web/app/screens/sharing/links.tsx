/**
 * All share links.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useList } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Empty, Notice } from "../../parts/controls.tsx";
import { Cover } from "../../parts/cover.tsx";
import { Icon } from "../../parts/icon.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import type { AlbumCard } from "../../../workers/library/albums/album_cards.ts";
import type { LinkCard } from "../../../workers/library/sharing/sharing_cards.ts";
import { dayText, messages } from "../../messages.ts";
import { cardText } from "../albums/card_text.ts";
import { LibraryDoubt, useHiddenDoubt } from "../settings/library_doubt.tsx";
import { isPast } from "./endings.ts";

/** Number of covers of a link in the list. */
const COVERS = 4;

/** What is shared: albums with others, then the links, the newest first. */
export function Links() {
  const { sharing } = messages.value;
  const hasPhotos = useList({ kind: "library" })?.length !== 0;
  const { value, error } = useLoaded(
    () => vault().sharing.links(),
    [revision.value],
  );
  const { value: overview } = useLoaded(
    () => vault().albums.overview(),
    [revision.value],
  );
  if (error !== undefined && value === undefined) {
    return <Notice>{faultText(error)}</Notice>;
  }
  if (value === undefined || overview === undefined) {
    return <div aria-busy="true" />;
  }
  const albums = overview.albums.filter(({ own, others }) =>
    !own || others > 0
  );
  if (value.length === 0 && albums.length === 0) {
    return (
      <Empty icon="link" title={sharing.emptyLinks}>
        <p class="quiet measure">
          {sharing.emptyLinksHint}{" "}
          {hasPhotos ? sharing.emptyLinksHow : sharing.emptyLinksFirst}
        </p>
        <a class="button main" href={href("photos")}>
          {hasPhotos ? sharing.choose : sharing.addFirst}
        </a>
      </Empty>
    );
  }
  return (
    <>
      {albums.length > 0 && (
        <section class="stack">
          <h2>{messages.value.albums.withPeople}</h2>
          <ul class="lines wide">
            {albums.map((one) => <AlbumLine key={one.id} album={one} />)}
          </ul>
        </section>
      )}
      <section class="stack">
        <h2>{sharing.byLink}</h2>
        {value.some(({ frame, living }) => frame || living) && <LibraryDoubt />}
        {value.length === 0
          ? (
            <p class="quiet measure">
              {sharing.emptyLinksHint} {sharing.emptyLinksHow}
            </p>
          )
          : (
            <ul class="lines wide">
              {value.map((link) => <Line key={link.opaqueId} link={link} />)}
            </ul>
          )}
      </section>
    </>
  );
}

/** An album that the person is in with others. */
function AlbumLine({ album }: { readonly album: AlbumCard }) {
  const { albums } = messages.value;
  return (
    <li>
      <a class="line" href={href("album", album.id)}>
        <Cover id={album.cover} />
        <span class="line-text">
          <span class="card-title">{album.title || albums.untitled}</span>
          <span class="quiet small">{cardText(album)}</span>
        </span>
        <Icon name="right" />
      </a>
    </li>
  );
}

function Line({ link }: { readonly link: LinkCard }) {
  const { pictureFrame, sharing } = messages.value;
  const { value: contents } = useLoaded(
    () => vault().sharing.contents(link.opaqueId, link.index),
    [link.index],
  );
  const standsStill = useHiddenDoubt().value === true;
  const says = [
    ...(link.frame ? [pictureFrame.title] : []),
    ...(link.living ? [sharing.living] : []),
    ...((link.frame || link.living) && standsStill
      ? [pictureFrame.standsStill]
      : []),
    ...(contents === undefined
      ? []
      : [sharing.photos({ n: contents.count, noun: contents.noun })]),
    sharing.seen({ n: link.views }),
    endText(link),
  ];
  return (
    <li>
      <a class="line" href={href("sharing", "link", link.opaqueId)}>
        <span class="covers">
          {(contents?.items ?? []).slice(0, COVERS).map((one) => (
            <Cover key={one.hash} id={one.assetId} icon="photos" />
          ))}
          {contents === undefined && <Cover id={undefined} icon="link" />}
        </span>
        <span class="line-text">
          <span class="card-title">{link.title ?? sharing.untitled}</span>
          <span class="quiet small">{says.join(" · ")}</span>
        </span>
        {link.passphrase && (
          <span title={sharing.behindPassphrase}>
            <Icon name="lock" />
            <span class="unseen">{sharing.behindPassphrase}</span>
          </span>
        )}
        <Icon name="right" />
      </a>
    </li>
  );
}

/** The text that says when a link ends or ended. */
export function endText(
  { expiresAt }: { readonly expiresAt?: string },
): string {
  const { sharing } = messages.value;
  if (expiresAt === undefined) return sharing.neverEnds;
  const day = dayText(expiresAt);
  return isPast(expiresAt)
    ? sharing.endedAt({ when: day })
    : sharing.endsAt({ when: day });
}
