/**
 * What can be done with a large photo, below it on a phone: where the thumb is,
 * and with its name.
 *
 * @module
 */
import type { Action, Selected } from "../../actions.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { messages, textNamed } from "../../messages.ts";

/** What comes first; the rest is in the menu above. */
const FIRST: readonly string[] = [
  "share",
  "favourite",
  "add-to-album",
  "adjust",
  "restore",
  "delete",
  "purge",
  "download",
];
const MOST = 5;

/** Those of the actions that stand below. */
export function actionsBelow(actions: readonly Action[]): readonly Action[] {
  return FIRST.flatMap((name) => actions.filter((one) => one.name === name))
    .slice(0, MOST);
}

/** The bar below. */
export function ActionsBelow(
  { actions, selected, run, isInfoOpen, onInfo }: {
    readonly actions: readonly Action[];
    readonly selected: Selected;
    readonly run: (action: Action) => void;
    readonly isInfoOpen: boolean;
    readonly onInfo: () => void;
  },
) {
  const { lightbox } = messages.value;
  return (
    <div
      class="lightbox-actions"
      role="toolbar"
      aria-label={lightbox.actions}
    >
      {actions.map((action) => (
        <Named
          key={action.name}
          icon={action.icon}
          name={textNamed(lightbox.short, action.name) ?? ""}
          label={action.label(selected)}
          {...pressedOf(action, selected)}
          onClick={() => run(action)}
        />
      ))}
      <Named
        icon="info"
        name={lightbox.short["info"] ?? ""}
        label={lightbox.info}
        pressed={isInfoOpen}
        onClick={onInfo}
      />
    </div>
  );
}

/** Whether what an action toggles is on. */
export function pressedOf(
  { name }: Action,
  selected: Selected,
): { readonly pressed?: boolean } {
  return name === "favourite"
    ? { pressed: selected.count("favourite") > 0 }
    : {};
}

function Named({ icon, name, label, pressed, onClick }: {
  readonly icon: IconName;
  /** As short as there is room for. */
  readonly name: string;
  readonly label: string;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      title={label}
      class={icon === "favourite" ? "heart" : ""}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} size={22} />
      <span>{name}</span>
    </button>
  );
}
