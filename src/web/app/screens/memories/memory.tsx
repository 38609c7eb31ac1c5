/**
 * One memory: its photos, and leaving it out from now on.
 *
 * @module
 */
import type { ToHide } from "../../../../library/finding/memories_hidden.ts";
import { isYear } from "../../../../library/finding/memories_days.ts";
import type { MemoryPage } from "../../../workers/finding/memory_calls.ts";
import { faultText } from "../../faults.ts";
import { Grid } from "../../grid/grid.tsx";
import { useList } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Empty, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { StartShow } from "../../showing/slideshow/start.tsx";
import { revision, vault } from "../../vault.ts";
import { useTitle } from "../../title.ts";
import { messages } from "../../messages.ts";
import { placesText, spanText } from "../where_text.ts";

/** The view at `#/memory/<days>`. */
export function MemoryView() {
  const id = route.value.path[1] ?? "";
  return <Shown key={id} id={id} />;
}

function Shown({ id }: { readonly id: string }) {
  const { shell, memories, photos } = messages.value;
  const { value, here, error } = useLoaded(
    () => vault().memories.page(id),
    [id, revision.value],
  );
  const list = useList({ kind: "memory", id });
  const title = value === undefined ? "" : titleOf(value);
  useTitle(title);
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (!here || value === undefined || list === undefined) {
    return <div aria-busy="true" />;
  }
  const back = (
    <a class="back" href={href("photos")}>
      <Icon name="back" /> {shell.photos}
    </a>
  );
  if (list.length === 0) {
    return (
      <>
        {back}
        <h1 class="unseen">{memories.title}</h1>
        <Empty icon="photos" title={photos.noArea} />
      </>
    );
  }
  return (
    <Grid source={{ kind: "memory", id }} list={list}>
      <header class="album-head">
        {back}
        <h1>{title}</h1>
        <p class="quiet">{aboutOf(value)}</p>
        <div class="actions">
          {list.length > 1 && <StartShow source={{ kind: "memory", id }} />}
          <Hiding memory={value} />
        </div>
      </header>
    </Grid>
  );
}

function titleOf({ id, taken }: MemoryPage): string {
  if (isYear(id)) return messages.value.memories.best({ year: id });
  const places = placesText(taken);
  if (places !== "") return places;
  const span = spanText(taken);
  return span === "" ? messages.value.memories.title : span;
}

/** What the title does not say. */
function aboutOf({ id, count, noun, taken }: MemoryPage): string {
  const places = placesText(taken);
  return [
    messages.value.albums.photos({ n: count, noun }),
    isYear(id) ? places : places === "" ? "" : spanText(taken),
  ].filter((one) => one !== "").join(" · ");
}

/** Leaving its days or its place out of all memories. */
function Hiding({ memory }: { readonly memory: MemoryPage }) {
  const { common, memories } = messages.value;
  const { days, town } = memory;
  const hide = (label: string, what: ToHide): MenuItem => ({
    icon: "hide",
    label,
    act: () => leaveOut(what),
  });
  const items = [
    ...(days === undefined ? [] : [hide(memories.hideDays, { days })]),
    ...(town === undefined ? [] : [
      hide(memories.hidePlace({ place: town.name }), {
        place: { latitude: town.latitude, longitude: town.longitude },
      }),
    ]),
  ];
  if (items.length === 0) return null;
  return (
    <Menu label={common.more} button={<Icon name="more" />} items={items} />
  );
}

async function leaveOut(what: ToHide): Promise<void> {
  const { memories, photos } = messages.value;
  const told = (error: unknown) => toast(faultText(error));
  try {
    await vault().memories.hide(what);
    goInstead(href("photos"));
    toast(memories.left, {
      label: photos.undo,
      act: () => vault().memories.showAgain(what).catch(told),
    });
  } catch (error) {
    told(error);
  }
}
