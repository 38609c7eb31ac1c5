/**
 * The search field in the bar, with suggestions below it (WAI-ARIA Authoring
 * Practices, combobox with a list).
 *
 * @module
 */
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import { sleep } from "../../browser.ts";
import type {
  OfferedList,
  Suggestion,
  Suggestions,
} from "../../workers/finding/suggestions.ts";
import { countryName } from "../../../library/finding/place_names.ts";
import { monthText } from "../grid/days.ts";
import { listHref } from "../list.ts";
import { IconButton } from "../parts/controls.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { go, goInstead, href, route } from "../routes.ts";
import { revision, vault } from "../vault.ts";
import { locale, messages } from "../messages.ts";

const PAUSE_MS = 120;
/** A pause in typing, after which the results change. */
const SEARCH_MS = 250;
/** Letters from which on typing opens the results: one letter finds anything. */
const LEAST_TYPED = 2;
const MOST = 8;
/** Before anything is typed. */
const MOST_UNASKED = 12;

interface Choice {
  readonly icon: IconName;
  readonly label: string;
  readonly to: string;
}

const found = (q: string) => listHref({ kind: "search", q });

/** What the address asks for. */
function asked(): string {
  const { path, query } = route.value;
  return path[0] === "search" ? query.get("q") ?? "" : "";
}

/** The field. Typing shows results, whenever it pauses. */
export function SearchField() {
  const { shell, search } = messages.value;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isResult = route.value.path[0] === "search";
  const here = asked();
  const [typed, setTyped] = useState(here);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const choices = useChoices(typed, open);
  /** What the address has by typing: drawn late, it must take no letter back. */
  const sent = useRef<string>(undefined);
  // Before it is drawn, or what is typed at once would be taken back.
  useLayoutEffect(() => {
    if (asked() !== here || sent.current === here) return;
    sent.current = undefined;
    setTyped(here);
  }, [here]);
  useLayoutEffect(() => setAt(-1), [typed, open]);

  /** Whether the address is to follow what was typed. */
  const isAhead = useRef(false);
  useEffect(() => {
    if (!isAhead.current) return;
    let gone = false;
    sleep(SEARCH_MS).then(() => {
      // Whoever went elsewhere meanwhile searches no more.
      if (gone || document.activeElement !== input.current) return;
      isAhead.current = false;
      show(typed.trim());
    });
    return () => {
      gone = true;
    };
  }, [typed]);
  const show = (q: string) => {
    const isShown = route.peek().path[0] === "search";
    if (!isShown && q.length < LEAST_TYPED) return;
    sent.current = q;
    // Only the first results are a page of their own, so that Back leads to the
    // page before the search.
    if (isShown) goInstead(found(q));
    else go(found(q));
  };

  const leave = (to: string) => {
    isAhead.current = false;
    setOpen(false);
    input.current?.blur();
    // What was typed half is no page to go back to.
    const isHalf = route.peek().path[0] === "search" &&
      sent.current === asked();
    if (isHalf) goInstead(to);
    else go(to);
  };
  const submit = () => {
    const choice = choices[at];
    if (choice !== undefined) leave(choice.to);
    else if (typed.trim() !== "") leave(found(typed.trim()));
  };
  const type = (value: string) => {
    isAhead.current = true;
    setTyped(value);
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const count = choices.length + 1;
      setOpen(true);
      setAt((at + 1 + step + count) % count - 1);
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (open) setOpen(false);
      else if (typed !== "") type("");
      else input.current?.blur();
      event.preventDefault();
    }
  };
  const listed = open && choices.length > 0;
  return (
    <search class={isResult ? "search found" : "search"}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onFocusOut={({ currentTarget, relatedTarget }) => {
          const stays = relatedTarget instanceof Node &&
            currentTarget.contains(relatedTarget);
          if (!stays) setOpen(false);
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          role="combobox"
          list={undefined}
          enterkeyhint="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={200}
          aria-label={shell.search}
          placeholder={search.placeholder}
          aria-expanded={listed}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={listed && at >= 0 ? `${id}-${at}` : undefined}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        {typed !== "" && (
          <span class="search-clear">
            <IconButton
              icon="close"
              label={search.clear}
              onClick={() => {
                type("");
                input.current?.focus();
              }}
            />
          </span>
        )}
        {listed && (
          <ul
            class="search-list"
            role="listbox"
            id={id}
            aria-label={shell.search}
          >
            {choices.map(({ icon, label, to }, index) => (
              <li
                key={to}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                // Before the field loses the focus, and the list goes.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => leave(to)}
              >
                <Icon name={icon} /> <span>{label}</span>
              </li>
            ))}
          </ul>
        )}
      </form>
    </search>
  );
}

/** The suggestions: lists that have photos, and matches in the library. */
function useChoices(typed: string, open: boolean): readonly Choice[] {
  const { photos, search } = messages.value;
  const [known, setKnown] = useState<Suggestions>({ lists: [], found: [] });
  // Names of places come a moment after the first question.
  const seen = revision.value;
  useEffect(() => {
    if (!open) return;
    let gone = false;
    const look = async () => {
      await sleep(PAUSE_MS);
      if (gone) return;
      const fitting = await vault().photos.suggest(typed);
      if (!gone) setKnown(fitting);
    };
    // Without an answer there are fewer suggestions, and no error is shown.
    look().catch(() => {});
    return () => {
      gone = true;
    };
  }, [typed, open, seen]);
  const lower = typed.trim().toLowerCase();
  const lists: Readonly<Record<OfferedList, Choice>> = {
    favourites: {
      icon: "favourite",
      label: photos.favourites,
      to: href("favourites"),
    },
    videos: {
      icon: "film",
      label: search.videos,
      to: found(photos.videosWord),
    },
    screenshots: {
      icon: "screenshot",
      label: search.screenshots,
      to: found(search.screenshotsWord),
    },
    hidden: { icon: "hide", label: photos.hidden, to: href("hidden") },
  };
  const most = lower === "" ? MOST_UNASKED : MOST;
  return [
    ...known.lists.map((name) => lists[name])
      .filter(({ label }) => label.toLowerCase().startsWith(lower)),
    ...known.found.map(choiceOf),
  ].slice(0, most);
}

function choiceOf(suggestion: Suggestion): Choice {
  switch (suggestion.kind) {
    case "camera":
      return {
        icon: "camera",
        label: suggestion.name,
        to: found(suggestion.name.toLowerCase()),
      };
    case "town":
      return {
        icon: "place",
        label: suggestion.name,
        to: found(suggestion.name.toLowerCase()),
      };
    case "person":
      return {
        icon: "account",
        label: suggestion.name,
        to: found(suggestion.name.toLowerCase()),
      };
    case "feast":
      return {
        icon: "calendar",
        label: suggestion.text,
        to: found(suggestion.text.toLowerCase()),
      };
    case "thing":
      return {
        icon: "search",
        label: suggestion.text,
        to: found(suggestion.text),
      };
    case "country": {
      const label = countryName(suggestion.code, locale.value);
      return { icon: "place", label, to: found(label.toLowerCase()) };
    }
    case "month": {
      const label = monthText(suggestion.month);
      return { icon: "calendar", label, to: found(label.toLowerCase()) };
    }
    default:
      return {
        icon: "albums",
        label: suggestion.title,
        to: href(suggestion.kind, suggestion.id),
      };
  }
}
