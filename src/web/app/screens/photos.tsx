/**
 * The timeline and similar lists: favourites, hidden photos, and search
 * results.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { isAdding } from "../adding.ts";
import { Grid } from "../grid/grid.tsx";
import { listHref, type ListSource, sourceOf, useList } from "../list.ts";
import { Button, Empty, Spinner } from "../parts/controls.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { lazily, withPart } from "../parts/lazy.tsx";
import { href, route } from "../routes.ts";
import { firstMessages } from "../first_messages.ts";

const StartShow = lazily(
  async () => (await import("../showing/slideshow/start.tsx")).StartShow,
  { quiet: true },
);
const MakeFrame = lazily(
  async () => (await import("./sharing/start_frame.tsx")).StartFrame,
  { quiet: true },
);
const Memories = lazily(
  async () => (await import("./memories/row.tsx")).MemoriesRow,
  { quiet: true, afterPictures: true },
);
const Results = lazily(
  async () => (await import("./results.tsx")).Results,
  { quiet: true },
);

/** The list of the route. */
export function Photos() {
  const source = sourceOf(route.value) ??
    { kind: "library", withOthers: true };
  const title = titleOf(source);
  return source.kind === "search"
    ? <Results source={source} title={title} back={<Back source={source} />} />
    : <Photographs source={source} title={title} />;
}

/** What an empty list says: an icon, a heading and a hint. */
type Said = readonly [icon: IconName, title: string, hint: string];

/** Any list: a heading, and the photos or a message that there are none. */
export function Photographs(
  { source, title, nothing, above }: {
    readonly source: ListSource;
    /** The heading; that of the timeline is only for screen readers. */
    readonly title: string;
    /** What an empty list says; otherwise what goes with its source. */
    readonly nothing?: Said;
    /** What stands below the heading. */
    readonly above?: ComponentChildren;
  },
) {
  const list = useList(source);
  const heading = (
    <>
      <Back source={source} />
      <h1 class={source.kind === "library" ? "unseen" : "list-title"}>
        {title}
      </h1>
    </>
  );
  if (list === undefined) {
    return (
      <div aria-busy="true">
        {heading}
        <p class="page-centre late">
          <Spinner />
        </p>
      </div>
    );
  }
  if (list.length === 0) {
    return (
      <>
        <Back source={source} />
        <h1 class="unseen">{title}</h1>
        {above}
        <Nothing source={source} said={nothing} />
      </>
    );
  }
  return (
    <Grid key={listHref(source)} source={source} list={list}>
      {heading}
      {above}
      {source.kind === "library"
        ? <Memories />
        : (
          <div class="actions list-actions">
            <StartShow source={source} />
            {source.kind === "favourites" && <MakeFrame source={source} />}
          </div>
        )}
    </Grid>
  );
}

/** The way to where the list is found: a search is one of all photos. */
function Back({ source }: { readonly source: ListSource }) {
  if (source.kind === "library") return null;
  const { shell, photos } = firstMessages.value;
  const to = source.kind === "area"
    ? "map"
    : source.kind === "largest"
    ? "settings"
    : source.kind === "search" && source.q !== photos.videosWord
    ? "photos"
    : "albums";
  return (
    <a class="back" href={to === "settings" ? href(to, "storage") : href(to)}>
      <Icon name="back" /> {shell[to]}
    </a>
  );
}

function titleOf(source: ListSource): string {
  const { photos, shell } = firstMessages.value;
  switch (source.kind) {
    case "favourites":
      return photos.favourites;
    case "hidden":
      return photos.hidden;
    case "search":
      return source.q === "" ? shell.search : source.q;
    case "area":
      return photos.area;
    default:
      return photos.title;
  }
}

function choose(): Promise<void> {
  return withPart(
    () => import("../upload/adding.tsx"),
    (adding) => adding.chooseFiles(),
  );
}

/** On a touch screen there is nothing to drop photos from. */
const hasTouch = () => matchMedia("(hover: none)").matches;

/** The message for an empty list. */
function Nothing(
  { source, said }: {
    readonly source: ListSource;
    readonly said: Said | undefined;
  },
) {
  const { photos } = firstMessages.value;
  if (source.kind === "library" && isAdding.value) {
    return (
      <p class="page-centre" role="status">
        <span>
          <Spinner /> {photos.firstComing}
        </span>
      </p>
    );
  }
  const [icon, title, hint]: Said = said ??
    (source.kind === "favourites"
      ? ["favourite", photos.noFavourites, photos.noFavouritesHint]
      : source.kind === "hidden"
      ? ["hide", photos.noHidden, photos.noHiddenHint]
      : source.kind === "area"
      ? ["place", photos.noArea, ""]
      : [
        "photos",
        photos.empty,
        hasTouch() ? photos.emptyHintTouch : photos.emptyHint,
      ]);
  return (
    <Empty icon={icon} title={title}>
      <p class="quiet">{hint}</p>
      {source.kind === "library" && (
        <>
          <Button kind="main" icon="add" onClick={choose}>
            {photos.choose}
          </Button>
          <p>
            <a href={href("settings", "phone")}>{photos.fromPhone}</a>
          </p>
          <p>
            <a href={href("settings", "import")}>{photos.fromService}</a>
          </p>
        </>
      )}
    </Empty>
  );
}
