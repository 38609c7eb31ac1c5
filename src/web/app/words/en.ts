/**
 * English. Another language is a file like this one, named in `../words.ts`.
 * Plain words: whoever reads them knows photos, and nothing of cryptography.
 */

import { connection } from "./en/connection.ts";
import { entry } from "./en/entry.ts";
import { settings } from "./en/settings.ts";

/** `1 photo`, `3 photos`. */
function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const en = {
  /** Said everywhere. */
  common: {
    cancel: "Cancel",
    close: "Close",
    done: "Done",
    back: "Back",
    next: "Continue",
    save: "Save",
    copy: "Copy",
    copied: "Copied",
    retry: "Try again",
    remove: "Remove",
    delete: "Delete",
    more: "More",
    loading: "Loading…",
    show: "Show",
    hide: "Hide",
    items: (n: number) => count(n, "item"),
  },
  /** The frame around everything. */
  frame: {
    skip: "Skip to the content",
    photos: "Photos",
    albums: "Albums",
    sharing: "Sharing",
    kept: "Safety",
    trash: "Trash",
    settings: "Settings",
    upload: "Add photos",
    search: "Search your photos",
    account: "Account",
    signOut: "Sign out",
    lock: "Lock now",
    offline: "No connection. Shown is what this device knows.",
    insecure: "This connection is not encrypted: whoever is on this network " +
      "can read your password and change this program.",
    insecureMore: "What to do",
  },
  connection,
  entry,
  /** The timeline. */
  photos: {
    title: "Photos",
    empty: "No photos yet",
    emptyHint: "Drop photos anywhere on this page, or choose some.",
    count: (n: number) => count(n, "photo"),
    favourites: "Favourites",
    noFavourites: "No favourites yet",
    noFavouritesHint: "Select photos and press the heart.",
    hidden: "Hidden",
    noHidden: "Nothing is hidden",
    noHiddenHint: "What you hide is shown here alone, and nowhere else.",
    nothingFound: (q: string) => `Nothing found for “${q}”`,
    nothingFoundHint: "Try a month, a place in a name, a camera or “films”.",
    favourite: "Add to favourites",
    unfavourite: "Take out of favourites",
    hide: "Hide",
    unhide: "Show again",
    toTrash: "Delete",
    trashed: (n: number) => `${count(n, "photo")} moved to the trash`,
    undo: "Undo",
  },
  /** Photos in rows. */
  grid: {
    select: "Select",
    selectDay: (day: string) => `Select everything of ${day}`,
    selected: (n: number) => `${n.toLocaleString("en")} selected`,
    isSelected: "selected",
    isFavourite: "favourite",
    selection: "Selected photos",
    unselect: "Select nothing",
    damaged: "Damaged",
    kinds: {
      photo: "Photo",
      live: "Live photo",
      film: "Film",
      sound: "Sound",
      file: "File",
    } as Readonly<Record<string, string>>,
    keysTitle: "Keys",
    keys: [
      ["← → ↑ ↓", "Go from photo to photo"],
      ["Home End", "To the newest, to the oldest"],
      ["PageUp PageDown", "A window further"],
      ["Enter", "Look at it"],
      ["x", "Select, or not"],
      ["Shift+→", "Select on and on"],
      ["Esc", "Select nothing"],
      ["Delete", "Delete"],
      ["f", "Favourite"],
      ["i", "Information"],
      ["/", "Search"],
      ["?", "This list"],
    ] as readonly (readonly [string, string])[],
  },
  /** One photo, large. */
  lightbox: {},
  /** Adding photos. */
  upload: {
    title: "Adding photos",
    chooseFiles: "Photos and films",
    chooseFolder: "A whole folder",
    drop: "Drop to add",
    adding: (n: number) => `Adding ${count(n, "file")}`,
    added: (kept: number, known: number) =>
      known === 0
        ? `${count(kept, "file")} added`
        : kept === 0
        ? `${count(known, "file")} already here`
        : `${count(kept, "file")} added, ${known} already here`,
    failed: (n: number) => `${count(n, "file")} could not be added`,
    progress: (done: string, total: string) => `${done} of ${total}`,
    percent: (n: number) => `${n} %`,
    andMore: (n: number) => `and ${count(n, "more file", "more files")}`,
    pause: "Pause",
    resume: "Go on",
    more: "Show each file",
    less: "Show less",
    proven: "The server has signed for every one of them",
    states: {
      waiting: "waiting",
      preparing: "preparing",
      sending: "sending",
      kept: "kept",
      known: "already here",
      failed: "",
    },
    halts: {
      paused: "Paused.",
      offline: "No connection. It goes on by itself.",
      full: "There is no room left. Delete something, or ask whoever runs " +
        "this server for more.",
      lying: "The server's receipt is not right, so nothing more is sent. " +
        "Tell whoever runs this server.",
    },
    unfinished: (n: number) =>
      `${count(n, "file was", "files were")} not finished last time.`,
    unfinishedHint: "Choose them again: what was sent already is not sent " +
      "twice.",
    forget: "Never mind",
  },
  albums: { title: "Albums" },
  sharing: { title: "Sharing" },
  /** What is proven of what is kept. */
  kept: { title: "Safety" },
  trash: {
    title: "Trash",
    empty: "The trash is empty",
    emptyHint: "What you delete stays here for a while before it is gone.",
    daysLeft: (days: number) => `${count(days, "day")} left`,
  },
  settings,
  /** What went wrong. */
  faults: {
    offline: "The server cannot be reached. Check your connection.",
    unexpected: "The server answered with something this app does not " +
      "understand. Try again later.",
    damaged: "What arrived is damaged or was changed on the way. It is not " +
      "shown.",
    lying: "The server's proof is not right. Nothing more was sent. Tell " +
      "whoever runs this server.",
    tooMany: (seconds: number) =>
      `Too many tries. Wait ${count(seconds, "second")}.`,
    newVersion: "There is a newer version of this app. Load the page again.",
    internal: "Something went wrong in this app.",
    codes: {
      "error.auth.credentials_invalid":
        "The email address or the password is not right.",
      "error.auth.user_already_exists":
        "There is an account with this address. Sign in with it.",
      "error.auth.registration_closed": "New accounts are not open to this " +
        "address, or the invitation is used up or too old.",
      "error.auth.account_locked": "Too many wrong passwords. Wait a quarter " +
        "of an hour, then try again.",
      "error.auth.unavailable": "The server has too much to do just now. " +
        "Try again in a moment.",
      "error.auth.challenge_expired": "That took too long. Sign in again.",
      "error.auth.second_factor_invalid": "That code was not right.",
      "error.auth.second_factor_code_refused":
        "That code was not right. Try the next one it shows.",
      "error.auth.second_factor_attempts_exhausted":
        "Too many wrong codes. Wait a quarter of an hour, then try again.",
      "error.auth.password_incorrect": "The password is not right.",
      "error.auth.reauthentication_required": "To be sure it is you, this " +
        "needs a fresh sign-in. Sign out, sign in again, and go on here.",
      "error.auth.session_token_invalid": "You were signed out.",
      "error.auth.oidc_not_configured":
        "Signing in elsewhere is not set up here.",
      "error.auth.oidc_state_invalid": "That took too long. Sign in again.",
      "error.auth.oidc_token_invalid":
        "The other side did not vouch for you. Try again.",
      "error.auth.oidc_exchange_failed":
        "The other side did not vouch for you. Try again.",
      "error.auth.oidc_unavailable":
        "The place where you sign in cannot be reached. Try again later.",
      "error.auth.oidc_redirect_invalid": "Signing in elsewhere is set up " +
        "for another address of this server.",
      "error.auth.oidc_address_taken": "There is an account with this " +
        "address and a password. Sign in with those.",
      "error.account.suspended": "Whoever runs this server has suspended " +
        "your account: you can look, download and delete, but not add.",
      "error.account.limit_reached": "You have as many of these as there can " +
        "be. Remove some first.",
      "error.enrollment.code_refused": "That code is not right, or was used, " +
        "or is too old. Let the other device show a new one.",
      "error.enrollment.channel_not_found":
        "The other device is gone. Let it show a new code.",
      "error.escrow.not_found": "No words and no phrase are kept for this " +
        "account.",
      "error.user.handle_taken": "Somebody has this name already.",
      "error.storage.quota_exceeded": "You have no room left.",
      "error.storage.full": "The server has no room left.",
    } as Readonly<Record<string, string>>,
    pairing: "The two devices did not find together. Let the other one show " +
      "a new code.",
    differ: "The words differ, so nothing was handed over. Try again in a " +
      "network that you trust.",
    otherAccount: "That is another account than the one you are signed in to.",
    escrow: "Those are not the words of this account.",
  },
};

/** What a language's catalogue has. */
export type Words = typeof en;
