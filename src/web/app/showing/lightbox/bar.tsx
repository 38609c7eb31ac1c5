/**
 * The bar above a large photo: the way back, when it was taken, and the
 * actions.
 *
 * @module
 */
import { type Action, actionsFor, type Selected } from "../../actions.ts";
import { selectedOf } from "../../grid/selection.ts";
import { faultText } from "../../faults.ts";
import type { ListSource, PhotoInfo, PhotoList } from "../../list.ts";
import { IconButton } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { locale, messages } from "../../messages.ts";
import type { Toggle } from "./screen.ts";
import { ActionsBelow, actionsBelow, pressedOf } from "./below.tsx";
import { isPicture } from "../../../workers/media/showing.ts";

/** Buttons that the bar has at most. */
const MOST_BUTTONS = 6;

/** The bar. */
export function LightboxBar(
  {
    source,
    list,
    at,
    info,
    isZoomed,
    isNarrow,
    isInfoOpen,
    fullScreen,
    onShow,
    onInfo,
    onZoom,
    onStep,
    onClose,
  }: {
    readonly source: ListSource;
    readonly list: PhotoList | undefined;
    readonly at: number;
    readonly info: PhotoInfo | undefined;
    readonly isZoomed: boolean;
    readonly isNarrow: boolean;
    readonly isInfoOpen: boolean;
    readonly fullScreen: Toggle & { readonly isThere: boolean };
    /** Starts a slideshow of the list here. */
    readonly onShow: () => void;
    readonly onInfo: () => void;
    readonly onZoom: (factor: number) => void;
    readonly onStep: (by: 1 | -1) => void;
    readonly onClose: () => void;
  },
) {
  const { lightbox, common } = messages.value;
  const count = list?.length ?? 0;
  const selected = selectedAt(source, list, at);
  const actions = selected === undefined ? [] : actionsFor(selected);
  // Narrow, they stand below, where the thumb is.
  const below = isNarrow ? actionsBelow(actions) : [];
  const buttons = isNarrow
    ? []
    : actions.filter(({ place }) => place === "bar").slice(0, MOST_BUTTONS);
  const rest = actions.filter((action) =>
    !buttons.includes(action) && !below.includes(action)
  );
  const zooms = info !== undefined && isPicture(info.mime);
  const items: MenuItem[] = [
    ...(count > 1
      ? [
        {
          icon: "play",
          label: messages.value.slideshow.title,
          act: onShow,
        } as const,
      ]
      : []),
    ...(fullScreen.isThere
      ? [
        {
          icon: fullScreen.isOn ? "leaveFullScreen" : "fullScreen",
          label: fullScreen.isOn
            ? lightbox.leaveFullScreen
            : lightbox.fullScreen,
          act: fullScreen.toggle,
        } as const,
      ]
      : []),
    ...rest.map((action) => ({
      icon: action.icon,
      label: selected === undefined ? "" : action.label(selected),
      danger: action.danger === true,
      act: () => run(action, selected),
    })),
  ];
  return (
    <>
      <header class="lightbox-bar">
        <IconButton icon="back" label={lightbox.close} onClick={onClose} />
        <p class="lightbox-title">
          {info !== undefined && (
            <span>
              {info.taken === 0
                ? info.name
                : clockText(info, { dateStyle: "long" }, locale.value)}
            </span>
          )}
          {info !== undefined && at >= 0 && (
            <span class="quiet small">
              {info.taken !== 0 &&
                `${clockText(info, { timeStyle: "short" }, locale.value)} · `}
              {lightbox.place({ at: at + 1, of: count })}
              {list?.whoseAt(at) && ` · ${list.whoseAt(at)}`}
            </span>
          )}
        </p>
        {zooms && (
          <span class="lightbox-wide">
            <IconButton
              icon="zoomOut"
              label={lightbox.zoomOut}
              disabled={!isZoomed}
              onClick={() => onZoom(1 / 1.6)}
            />
            <IconButton
              icon="zoomIn"
              label={lightbox.zoomIn}
              onClick={() => onZoom(1.6)}
            />
          </span>
        )}
        {selected !== undefined && buttons.map((action) => (
          <IconButton
            key={action.name}
            icon={action.icon}
            label={action.label(selected)}
            {...pressedOf(action, selected)}
            onClick={() => run(action, selected)}
          />
        ))}
        {info !== undefined && !isNarrow && (
          <IconButton
            icon="info"
            label={lightbox.info}
            pressed={isInfoOpen}
            onClick={onInfo}
          />
        )}
        {items.length > 0 && (
          <Menu
            label={common.more}
            button={<Icon name="more" />}
            items={items}
          />
        )}
      </header>
      {isNarrow && selected !== undefined && (
        <ActionsBelow
          {...{ selected, isInfoOpen, onInfo }}
          actions={below}
          run={(action) => run(action, selected)}
        />
      )}
      {at > 0 && (
        <span class="lightbox-step before">
          <IconButton
            icon="left"
            size={28}
            label={lightbox.previous}
            onClick={() => onStep(-1)}
          />
        </span>
      )}
      {at >= 0 && at + 1 < count && (
        <span class="lightbox-step after">
          <IconButton
            icon="right"
            size={28}
            label={lightbox.next}
            onClick={() => onStep(1)}
          />
        </span>
      )}
    </>
  );
}

function selectedAt(
  source: ListSource,
  list: PhotoList | undefined,
  at: number,
): Selected | undefined {
  if (list === undefined || at < 0) return undefined;
  return selectedOf(list, source, [list.idAt(at)]);
}

async function run(action: Action, selected: Selected | undefined) {
  if (selected === undefined) return;
  try {
    await action.act(selected);
  } catch (error) {
    toast(faultText(error));
  }
}

/** The local time at which it was taken. */
function clockText(
  { taken }: PhotoInfo,
  style: Intl.DateTimeFormatOptions,
  tag: string,
): string {
  return new Intl.DateTimeFormat(tag, { ...style, timeZone: "UTC" })
    .format(taken);
}
