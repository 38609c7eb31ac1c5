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
    map: "Map",
    account: "Account",
    signOut: "Sign out",
    lock: "Lock now",
    offline: "You're offline. Showing what's on this device.",
    insecure: "Not encrypted",
    insecureWhy: ": others in this network can read your password and change " +
      "this app.",
    insecureMore: "What to do",
    forgets: "This browser forgets you when you reload the page.",
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
    emptyHintTouch: "Press the button to add photos from this device.",
    choose: "Choose photos",
    fromPhone: "Get photos from your phone",
    area: "Photos from this area",
    noArea: "No photos from this area",
    favourites: "Favourites",
    noFavourites: "No favourites yet",
    noFavouritesHint: "Select photos and press the heart.",
    hidden: "Hidden",
    noHidden: "Nothing is hidden",
    noHiddenHint: "Photos that you hide appear here and nowhere else.",
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
      `${count(n, called(noun))} hidden. See Albums, “Hidden”`,
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
    scrubber: "Go to a month. You can type one, for example “june 2019”",
    selectDay: (day: string) => `Select everything from ${day}`,
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
    unexpected:
      "This app does not understand the server's answer. Try again later.",
    damaged:
      "The file is damaged or was changed on the way, so it is not shown.",
    notShared:
      "This link does not show it any more. Its owner may have deleted it.",
    lying: "The server's proof is not valid, so nothing more was sent. Tell " +
      "the person who runs this server.",
    tooMany: (seconds: number) =>
      `Too many attempts. Wait ${count(seconds, "second")}.`,
    waiting: (seconds: number) =>
      `Too many attempts. Trying again in ${count(seconds, "second")}.`,
    newVersion: "A newer version of this app is available. Reload the page.",
    internal: "Something went wrong in this app.",
    codes: {
      "error.auth.credentials_invalid": "Wrong email address or password.",
      "error.auth.user_already_exists":
        "This address already has an account. Sign in with it.",
      "error.auth.registration_closed":
        "This address cannot sign up here, or the invitation was used or " +
        "has expired.",
      "error.auth.account_locked":
        "Too many wrong passwords. Wait 15 minutes, then try again.",
      "error.auth.unavailable": "The server is busy. Try again in a moment.",
      "error.auth.challenge_expired": "That took too long. Sign in again.",
      "error.auth.second_factor_invalid": "Wrong code.",
      "error.auth.second_factor_code_refused":
        "Wrong code. Try the next one that the app shows.",
      "error.auth.second_factor_attempts_exhausted":
        "Too many wrong codes. Wait 15 minutes, then try again.",
      "error.auth.password_incorrect": "Wrong password.",
      "error.auth.reauthentication_required":
        "To confirm that it is you, sign out, sign in again, and then try " +
        "again.",
      "error.auth.session_token_invalid": "You were signed out.",
      "error.auth.oidc_not_configured":
        "Signing in with an organisation is not set up here.",
      "error.auth.oidc_state_invalid": "That took too long. Sign in again.",
      "error.auth.oidc_token_invalid":
        "Your organisation did not confirm the sign-in. Try again.",
      "error.auth.oidc_exchange_failed":
        "Your organisation did not confirm the sign-in. Try again.",
      "error.auth.oidc_unavailable":
        "Your organisation's sign-in cannot be reached. Try again later.",
      "error.auth.oidc_redirect_invalid":
        "Signing in with your organisation is set up for another address " +
        "of this server.",
      "error.auth.oidc_address_taken":
        "This address already has an account with a password. Sign in with " +
        "that.",
      "error.account.suspended":
        "The person who runs this server has suspended your account. You " +
        "can view, download and delete, but not add.",
      "error.account.limit_reached":
        "You have reached the limit. Remove some first.",
      "error.enrollment.code_refused":
        "This code is wrong, was used or has expired. Let the other device " +
        "show a new one.",
      "error.enrollment.channel_not_found":
        "The other device is no longer connected. Let it show a new code.",
      "error.escrow.not_found":
        "This account has no recovery words and no recovery sentence.",
      "error.user.handle_taken": "This handle is taken.",
      "error.storage.quota_exceeded": "Your storage is full.",
      "error.storage.full": "The server's storage is full.",
      "error.asset.retained":
        "It cannot be deleted until its retention period is over.",
      "error.asset.held":
        "It cannot be deleted: the person who runs this server has put it " +
        "on hold.",
    } as Readonly<Record<string, string>>,
    pairing: "The devices couldn't connect. Let the other one show " +
      "a new code.",
    differ: "The words differ, so your key was not sent. Try again in a " +
      "network that you trust.",
    otherAccount: "That account is not the one you are signed in to.",
    escrow: "These are not the words of this account.",
    answeredElsewhere: "Already accepted or refused on another of your devices",
    phraseShort: "At least 12 characters, please.",
    phraseIsPassword:
      "This is your password. Passwords are sent to the server when you " +
      "sign in, and what opens your photos never is. Choose something " +
      "else.",
    cancelled: "Nothing was changed.",
  },
};

/** What a language says at first. */
export type FirstWords = typeof first;
