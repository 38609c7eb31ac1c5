/**
 * English. Another language is a file like this one, named in `../words.ts`.
 * Plain words: whoever reads them knows photos, and nothing of cryptography.
 */
import { albums } from "./en/albums.ts";
import { sharing } from "./en/sharing.ts";

import { connection } from "./en/connection.ts";
import { entry } from "./en/entry.ts";
import { guest } from "./en/guest.ts";
import { kept } from "./en/kept.ts";
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
    insecure: "Not encrypted",
    insecureWhy: ": others in this network can read your password and change " +
      "this app.",
    insecureMore: "What to do",
    forgets: "This browser forgets you when the page is loaded again.",
    forgetsAct: "Stay signed in here",
  },
  connection,
  entry,
  /** The timeline. */
  photos: {
    title: "Photos",
    empty: "No photos yet",
    emptyHint: "Drop photos anywhere on this page, or choose some.",
    emptyHintTouch: "Press the button to add some from this device.",
    choose: "Choose photos",
    count: (n: number) => count(n, "photo"),
    favourites: "Favourites",
    noFavourites: "No favourites yet",
    noFavouritesHint: "Select photos and press the heart.",
    hidden: "Hidden",
    noHidden: "Nothing is hidden",
    noHiddenHint: "What you hide is shown here alone, and nowhere else.",
    nothingFound: (q: string) => `Nothing found for “${q}”`,
    found: (n: number) => `${count(n, "photo")} found`,
    nothingFoundHint: "Try a month, a place in a name, a camera or “films”.",
    favourite: "Add to favourites",
    unfavourite: "Take out of favourites",
    hide: "Hide",
    unhide: "Show again",
    toTrash: "Delete",
    trashed: (n: number) => `${count(n, "photo")} moved to the trash`,
    hiddenNow: (n: number) => `${count(n, "photo")} hidden`,
    shownAgain: (n: number) => `${count(n, "photo")} shown again`,
    undo: "Undo",
  },
  /** Things to search for; the words are those that a query knows. */
  search: {
    placeholder: "Search",
    films: "Films",
    clear: "Clear the search",
    filmsWord: "films",
    screenshots: "Screenshots",
    screenshotsWord: "screenshots",
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
  lightbox: {
    viewer: "Photo",
    close: "Close",
    previous: "Previous",
    next: "Next",
    place: (at: number, of: number) =>
      `${at.toLocaleString("en")} of ${of.toLocaleString("en")}`,
    gone: "This photo is not here any more.",
    goneHint: "It was deleted, or the address is of another account.",
    info: "Information",
    download: "Download",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fullScreen: "Full screen",
    leaveFullScreen: "Leave full screen",
    slideshow: "Slideshow",
    stopSlideshow: "Stop the slideshow",
    /** What can be done, and its short names below a photo on a phone. */
    actions: "What to do with it",
    short: {
      share: "Share",
      favourite: "Favourite",
      "add-to-album": "Album",
      restore: "Bring back",
      delete: "Delete",
      purge: "Delete",
      download: "Download",
      info: "Info",
    } as Readonly<Record<string, string>>,
    play: "Play",
    pause: "Pause",
    mute: "Sound off",
    small: "In a small window",
    unmute: "Sound on",
    position: "Position in the film",
    live: "Play the live photo",
    liveBadge: "Live",
    loading: "Loading",
    originalDamaged:
      "The original on the server is damaged or was changed. This is the " +
      "smaller picture that was kept beside it.",
    notDrawn: "This browser cannot show this picture. Download it to open it " +
      "with another program.",
    notDrawnOriginal:
      "This browser cannot show the original. This is the smaller picture " +
      "that was kept beside it.",
    notPlayed: "This browser cannot play this film. Download it to play it " +
      "with another program.",
    notHeard: "This browser cannot play this sound. Download it to play it " +
      "with another program.",
    tooLarge: (size: string) =>
      `This film has ${size}, and without https a browser cannot play it ` +
      "before it has all of it. Download it to play it.",
    noPreview: "There is no preview of this kind of file.",
    openPdf: "Open",
    textCut: (size: string) => `The first ${size} of this text.`,
    /** The information panel. */
    about: {
      title: "Information",
      caption: "Add a caption",
      captionLabel: "Caption",
      dateEdit: "Change date and time",
      date: "Date",
      time: "Time",
      zone: "Time zone",
      zoneUnknown: "Not known",
      zoneHint: "Where it was taken, compared with London in winter.",
      undated: "Date not known",
      dateSource: {
        name: "From the file's name",
        mtime: "From the file's own date",
        person: "Set by you",
      } as Readonly<Record<string, string>>,
      added: (when: string) => `Added ${when}`,
      camera: "Camera",
      lens: "Lens",
      file: "File",
      pixels: (width: number, height: number) => `${width} × ${height}`,
      megapixels: (n: string) => `${n} MP`,
      length: "Length",
      place: "Place",
      openPlace: "Open in a map",
      altitude: (metres: string) => `${metres} m above the sea`,
      albums: "Albums",
      noAlbums: "In no album",
      safety: "Safety",
      saved: "Saved",
      custody: {
        unverified: "Not proven yet on this device",
        receipted: "The server signed for it, and the signature is right",
        confirmed: "The server signed for it, and said again that it has it",
        read_back: "Read back and compared: it is what you added",
        missing: "The server does not have it any more",
        damaged: "What the server has is damaged",
      } as Readonly<Record<string, string>>,
    },
  },
  /** What another app hands over. */
  shared: {
    title: (n: number) => `Add ${count(n, "file")}?`,
    why: "Another app, or a website, shares this with strongroom. It is not " +
      "added before you say so.",
    add: "Add",
    more: (n: number) => `and ${count(n, "more file")}`,
  },
  /** Downloads of one, of many, and of everything. */
  saving: {
    title: "Downloading",
    files: (done: number, of: number) =>
      `${done.toLocaleString("en")} of ${count(of, "file")}`,
    bytes: (done: string, of: string) => `${done} of ${of}`,
    part: (at: number, of: number) => `Part ${at} of ${of}`,
    savePart: (at: number, of: number) => `Save part ${at} of ${of}`,
    save: "Save",
    ready: "It is ready.",
    partsWhy: "This browser holds a download in memory until it is whole. So " +
      "it comes in parts.",
    begun: "The download has begun. Keep this page open until it is done.",
    done: (name: string) => `${name} is saved`,
    exported: (files: number, size: string) =>
      `Done: ${count(files, "file")}, ${size}.`,
    noPicker: "This browser did not let you choose a place. The file goes to " +
      "your downloads.",
    cancelled: "The download was cancelled.",
    left: (n: number) =>
      `${
        count(n, "file is", "files are")
      } too large for this browser. The command line downloads ` +
      "everything: strongroom export-all FOLDER",
    unread: (n: number) => `${count(n, "file")} could not be read:`,
    zipName: "photos.zip",
    exportName: "strongroom-export",
    /** Everything at once. */
    all: {
      why: "Each photo and film once, in its folder, as zip files, with what " +
        "is known of it beside it (JSON and XMP): dates, places, captions. A " +
        "list tells what is in which album. Other programs read all of it " +
        "without strongroom.",
      begin: "Export",
      size: (files: number, size: string) => `${count(files, "file")}, ${size}`,
      empty: "There is nothing to export yet.",
      cli: "A large library is exported best with the command line, which " +
        "goes on where it was cut off: strongroom export-all FOLDER",
    },
  },
  /** Adding photos. */
  upload: {
    title: "Adding photos",
    chooseFiles: "Photos and films",
    chooseFolder: "A whole folder",
    drop: "Drop to add",
    adding: (done: number, total: number) =>
      `${done.toLocaleString("en")} of ${count(total, "file")} done`,
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
    cancelAll: "Cancel the rest",
    cancelTitle: (n: number) => `Do not add ${count(n, "more file")}?`,
    cancelText: "What was added already stays.",
    more: "Show each file",
    less: "Show less",
    proven: "The server has signed for every one of them",
    states: {
      waiting: "waiting",
      preparing: "getting ready",
      sending: "sending",
      kept: "added",
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
    notAdded: (left: number, total: number) =>
      left >= total
        ? `${count(left, "file was", "files were")} not added.`
        : `${left.toLocaleString("en")} of ${count(total, "file")} ${
          left === 1 ? "was" : "were"
        } not added.`,
    notAddedHint:
      "Choose them or their folder again: what is here already is " +
      "skipped.",
    againFiles: "Choose files",
    againFolder: "Choose the folder",
    forget: "Never mind",
  },
  albums,
  sharing,
  /** What is proven of what is kept. */
  kept,
  trash: {
    title: "Trash",
    empty: "The trash is empty",
    emptyHint: "What you delete stays here for a while before it is gone.",
    hint: "What lies here is gone for good when its time is over.",
    restore: "Bring back",
    restored: (n: number) => `${count(n, "photo")} brought back`,
    purge: "Delete for good",
    purged: (n: number) => `${count(n, "photo")} deleted for good`,
    purgeTitle: (n: number) => `Delete ${count(n, "photo")} for good?`,
    purgeWhy: "Nobody can bring that back afterwards: not you, and not " +
      "whoever runs this server.",
    emptyNow: "Empty the trash",
    emptyTitle: (n: number) =>
      n === 1
        ? "Delete 1 photo for good?"
        : `Delete all ${count(n, "photo")} for good?`,
    failed: (n: number) => `${count(n, "photo")} could not be moved.`,
    daysLeft: (days: number) => `${count(days, "day")} left`,
  },
  settings,
  /** The page of a share link. */
  link: {
    title: "Shared photos",
    from: (who: string) => `From ${who}`,
    summary: (n: number, size: string) => `${count(n, "file")}, ${size}`,
    photoSummary: (n: number, size: string) => `${count(n, "photo")}, ${size}`,
    nothing: "There is nothing in it.",
    opening: "Opening…",
    downloadAll: "Download all",
    noLink: "This is not the address of a share.",
    noKey: "This link is not complete: what stands after the # is missing. " +
      "Ask for the whole link.",
    badKey: "This link is damaged: what stands after the # is not whole. Ask " +
      "for the link again.",
    wrongKey:
      "What stands after the # in this link does not open it. Ask for " +
      "the link again.",
    ended:
      "This link does not exist, or it has ended. Whoever sent it can make you a new one.",
    passphraseTitle: "A passphrase, please",
    passphraseHint: "Whoever sent you the link knows it.",
    passphrase: "Passphrase",
    passphraseWrong: "That passphrase does not fit.",
    open: "Open",
    waiting: (seconds: number) =>
      `Many requests at once. Going on in ${count(seconds, "second")}.`,
    foot:
      "These photos are decrypted in your browser. The server cannot read " +
      "them. Pass this address on only to people who may see them.",
  },
  guest,
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
      "error.escrow.not_found": "No words and no phrase are kept for this " +
        "account.",
      "error.user.handle_taken": "Somebody has this name already.",
      "error.storage.quota_exceeded": "You have no room left.",
      "error.storage.full": "The server has no room left.",
      "error.asset.retained": "It must be kept for a time that is not over.",
      "error.asset.held": "It is held back by whoever runs this server.",
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
