/**
 * English. Another language is a file like this one, named in `../words.ts`.
 * Plain words: whoever reads them knows photos, and nothing of cryptography.
 */

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
  /** Before anybody is signed in. */
  entry: {
    tagline: "Your photos, readable by you alone, and provably kept.",
    points: [
      [
        "Only you can open them",
        "Photos are encrypted on your device before they leave it. This " +
        "server cannot look at them.",
      ],
      [
        "You can see that they are safe",
        "For every photo the server signs a receipt, and this app checks it.",
      ],
      [
        "Share with anyone",
        "An album with family, or a link that ends when you say so.",
      ],
    ],
    server: (host: string) => `on ${host}`,
    signUp: "Create an account",
    signIn: "Sign in",
    address: "Email address",
    password: "Password",
    invitation: "Invitation code",
    passwordHint: "At least 12 characters. Several words are easiest.",
    working: "One moment…",
    code: "Code from your authenticator app",
    codeWrong: "That code was not right. Try the next one it shows.",
    passwordAgain: "Your password, please, to be sure it is you",
    wordsTitle: "Write down these 24 words",
    wordsWhy: "They open your photos on a new device when every other one is " +
      "gone. Nobody can replace them: not even whoever runs this server.",
    wordsDone: "I have written them down",
    unlockTitle: "Open your photos on this device",
    unlockWhy: "You are signed in. Your photos are encrypted with a key that " +
      "this device does not have yet.",
    unlockWords: "Your 24 words, or your phrase",
    unlock: "Open",
  },
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
  settings: { title: "Settings", language: "Language" },
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
      "error.auth.address_taken": "There is an account with this address.",
      "error.auth.second_factor_invalid": "That code was not right.",
      "error.storage.quota_exceeded": "You have no room left.",
      "error.storage.full": "The server has no room left.",
    } as Readonly<Record<string, string>>,
    escrow: "Those are not the words of this account.",
  },
};

/** What a language's catalogue has. */
export type Words = typeof en;
