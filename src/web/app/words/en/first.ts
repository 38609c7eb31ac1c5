/**
 * What the first load of the app says, in English. A text that is needed later
 * belongs into `../en.ts`, or into the file of its area.
 */
import { called } from "./nouns.ts";
import type { Noun } from "../../../workers/photo_lists.ts";

/** `1 photo`, `3 photos`. */
function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const first = {
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
    offline: "You're offline. Showing what's on this device.",
    insecure: "Not encrypted",
    insecureWhy: ": others in this network can read your password and change " +
      "this app.",
    insecureMore: "What to do",
    forgets: "This browser forgets you when the page is loaded again.",
    forgetsAct: "Stay signed in here",
    waitingFiles: (n: number) => `${count(n, "file")} waiting`,
    newAlbums: (n: number) => count(n, "invitation", "invitations"),
  },
  /** The timeline. */
  photos: {
    title: "Photos",
    empty: "No photos yet",
    firstComing: "Your first photos are on their way…",
    emptyHint: "Drop photos anywhere on this page, or choose some.",
    emptyHintTouch: "Press the button to add some from this device.",
    choose: "Choose photos",
    fromPhone: "How photos come from your phone",
    favourites: "Favourites",
    noFavourites: "No favourites yet",
    noFavouritesHint: "Select photos and press the heart.",
    hidden: "Hidden",
    noHidden: "Nothing is hidden",
    noHiddenHint: "What you hide is shown here alone, and nowhere else.",
    nothingFound: (q: string) => `Nothing found for “${q}”`,
    found: (n: number, noun: Noun) => `${count(n, called(noun))} found`,
    nothingFoundHint: "Try a month, file name or camera",
    favourite: "Add to favourites",
    unfavourite: "Remove from favourites",
    hide: "Hide",
    unhide: "Show again",
    toTrash: "Delete",
    trashed: (n: number, noun: Noun) =>
      `${count(n, called(noun))} moved to the trash`,
    hiddenNow: (n: number, noun: Noun) =>
      `${count(n, called(noun))} hidden: under Albums, “Hidden”`,
    shownAgain: (n: number, noun: Noun) =>
      `${count(n, called(noun))} shown again`,
    undo: "Undo",
    /** What a search knows videos by. */
    videosWord: "videos",
  },
  /** Photos in rows. */
  grid: {
    undated: "Without a date",
    select: "Select",
    scrubber: "Go to a month; type one, as in “june 2019”",
    selectDay: (day: string) => `Select everything of ${day}`,
    selected: (n: number) => `${n.toLocaleString("en")} selected`,
    isSelected: "selected",
    isFavourite: "favourite",
    selection: "Selected photos",
    unselect: "Clear selection",
    damaged: "Damaged",
    kinds: {
      photo: "Photo",
      live: "Live photo",
      video: "Video",
      sound: "Sound",
      file: "File",
    } as Readonly<Record<string, string>>,
    daysLeft: (days: number) => `${count(days, "day")} left`,
  },
  /** What went wrong. */
  faults: {
    offline: "The server cannot be reached. Check your connection.",
    part: "This part of the app could not be loaded. Check your connection " +
      "and try again, or reload the page.",
    unexpected: "The server answered with something this app does not " +
      "understand. Try again later.",
    damaged: "What arrived is damaged or was changed on the way. It is not " +
      "shown.",
    lying: "The server's proof is not right. Nothing more was sent. Tell " +
      "whoever runs this server.",
    tooMany: (seconds: number) =>
      `Too many tries. Wait ${count(seconds, "second")}.`,
    waiting: (seconds: number) =>
      `Too many tries. The server is asked again in ${
        count(seconds, "second")
      }.`,
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
      "error.escrow.not_found": "No words and no recovery sentence are " +
        "kept for this account.",
      "error.user.handle_taken": "Somebody has this name already.",
      "error.storage.quota_exceeded": "You have no room left.",
      "error.storage.full": "The server has no room left.",
      "error.asset.retained": "It must be kept for a time that is not over.",
      "error.asset.held": "It is held back by whoever runs this server.",
    } as Readonly<Record<string, string>>,
    pairing: "The devices couldn't connect. Let the other one show " +
      "a new code.",
    differ: "The words differ, so nothing was handed over. Try again in a " +
      "network that you trust.",
    otherAccount: "That is another account than the one you are signed in to.",
    escrow: "Those are not the words of this account.",
    answeredElsewhere:
      "Accepted or refused already, on another of your devices",
    phraseShort: "At least 12 characters, please.",
    phraseIsPassword:
      "This is your password. Passwords are sent to the server " +
      "when you sign in; what opens your photos never is. Take something else.",
    cancelled: "Nothing was changed.",
  },
};

/** What a language says at first. */
export type FirstWords = typeof first;
