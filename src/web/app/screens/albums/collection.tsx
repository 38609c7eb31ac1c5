/**
 * An album for the person alone: a collection of the state.
 *
 * @module
 */
import { partsOfTitle } from "../../../../library/albums/album_order.ts";
import { faultText } from "../../faults.ts";
import { HeadedGrid } from "../../grid/headed_grid.tsx";
import { useList } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Empty, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { withPart } from "../../parts/lazy.tsx";
import { Menu } from "../../parts/menu.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { startShow } from "../../showing/slideshow/start.tsx";
import { revision, vault } from "../../vault.ts";
import type { CollectionPage } from "../../../workers/library/albums/album_cards.ts";
import { useTitle } from "../../title.ts";
import { messages } from "../../messages.ts";
import { whereWhenText } from "../where_text.ts";
import { Gone } from "../safety/gone.tsx";
import { addToCollection } from "./adding.tsx";
import { downloadItem } from "./download.ts";
import { favouriteItem } from "./favourite.ts";
import { FirstInvite } from "./inviting.tsx";
import { Crumbs } from "./crumbs.tsx";
import { naming } from "./naming.tsx";
import { ShareLink } from "./share_link.tsx";

/** The view at `#/collection/<id>`. */
export function CollectionView() {
  const id = route.value.path[1] ?? "";
  return <Shown key={id} id={id} />;
}

function Shown({ id }: { readonly id: string }) {
  const { albums } = messages.value;
  const { value, here, error } = useLoaded(
    () => vault().collections.page(id),
    [id, revision.value],
  );
  const list = useList({ kind: "collection", id });
  useTitle(value?.title ?? "");
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (!here) return <div aria-busy="true" />;
  if (value === undefined) {
    return (
      <Empty icon="albums" title={albums.gone}>
        <a class="button" href={href("albums")}>{albums.title}</a>
      </Empty>
    );
  }
  return (
    <HeadedGrid
      source={{ kind: "collection", id }}
      list={list}
      head={<Head collection={value} />}
      empty={
        <Empty icon="photos" title={albums.emptyAlbum}>
          <p class="quiet measure">{albums.collectionHint}</p>
        </Empty>
      }
    />
  );
}

function Head({ collection }: { readonly collection: CollectionPage }) {
  const { albums, common, pictureFrame, slideshow } = messages.value;
  const { id, title, count, noun, taken } = collection;
  const when = whereWhenText(taken);
  return (
    <header class="album-head">
      <Crumbs path={partsOfTitle(title).slice(0, -1)} />
      <h1>{title}</h1>
      <p class="quiet">
        <span>{albums.photos({ n: count, noun })}</span>
        {when !== "" && ` · ${when}`}
      </p>
      <div class="actions">
        <Button
          kind={count === 0 ? "main" : "plain"}
          icon="add"
          onClick={() => addToCollection(id, title)}
        >
          {albums.add}
        </Button>
        {count > 0 && (
          <ShareLink source={{ kind: "collection", id }} title={title} />
        )}
        <Button
          icon="people"
          onClick={() =>
            overlay((close) => (
              <FirstInvite collection={collection} onClose={close} />
            ))}
        >
          {albums.invite}
        </Button>
        <Menu
          label={common.more}
          button={<Icon name="more" />}
          items={[
            ...(count > 1
              ? [
                {
                  icon: "play",
                  label: slideshow.title,
                  act: () => startShow({ kind: "collection", id }),
                } as const,
              ]
              : []),
            ...(count > 0
              ? [downloadItem({ kind: "collection", id }, title)]
              : []),
            favouriteItem(collection),
            {
              icon: "photos",
              label: pictureFrame.menu,
              act: () =>
                withPart(
                  () => import("../sharing/make_frame.tsx"),
                  ({ makeFrame }) => makeFrame({ kind: "collection", id }),
                ),
            },
            {
              icon: "edit",
              label: albums.renameCollection,
              act: () =>
                naming({
                  kind: "collection",
                  heading: albums.renameCollection,
                  title,
                  action: common.save,
                  act: (named) => vault().collections.rename(id, named),
                }),
            },
            {
              icon: "trash",
              label: albums.delete,
              danger: true,
              act: () =>
                confirm({
                  title: albums.deleteTitle({ album: title }),
                  text: albums.deleteCollectionText,
                  action: albums.delete,
                  act: async () => {
                    await vault().collections.remove(id);
                    goInstead(href("albums"));
                    toast(albums.deleted({ album: title }));
                  },
                }),
            },
          ]}
        />
      </div>
      <Gone where={{ kind: "collection", id }} />
    </header>
  );
}
