/**
 * What to do for someone who has no account here: a link, or how they get one.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Button } from "../../parts/controls.tsx";
import { withPart } from "../../parts/lazy.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { vault } from "../../vault.ts";
import type { AlbumPage } from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";

/** The ways that are left; `onLeave` closes what it stands in. */
export function NoAccount(
  { album, onLeave }: {
    readonly album: Pick<AlbumPage, "id" | "title" | "count">;
    readonly onLeave: () => void;
  },
) {
  const { albums } = messages.value;
  const { value: server } = useLoaded(
    () => vault().session.server().catch(() => undefined),
    [],
  );
  const { title } = album;
  const share = () => {
    onLeave();
    return withPart(
      () => import("../sharing/make_link.tsx"),
      ({ shareAlbum }) => shareAlbum({ kind: "album", id: album.id }, title),
    );
  };
  const request = () => {
    onLeave();
    return withPart(
      () => import("../sharing/make_request.tsx"),
      ({ MakeRequest }) =>
        overlay((close) => <MakeRequest onClose={close} title={title} />),
    );
  };
  return (
    <section class="stack nobody">
      <p>{albums.nobody}</p>
      <div class="actions start">
        {album.count > 0 && (
          <Button icon="link" onClick={share}>{albums.linkFor}</Button>
        )}
        <Button icon="inbox" onClick={request}>{albums.requestFor}</Button>
      </div>
      {server !== undefined && (
        <p class="quiet small">
          {server.registration === "open"
            ? (
              <>
                {albums.accounts.open} <strong>{location.origin}</strong>
              </>
            )
            : server.registration === "invited"
            ? albums.accounts.invited
            : albums.accounts.domain}
        </p>
      )}
    </section>
  );
}
