import { called } from "./nouns.ts";
import type { Noun } from "../../../workers/photo_lists.ts";

function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

const photos = (n: number, noun: Noun) => count(n, called(noun));

/** Albums with other people, private collections, and people. */
export const albums = {
  title: "Albums",
  lists: "Lists",
  own: "My albums",
  shared: "Shared with me",
  collections: "Only for me",
  newAlbum: "New album",
  empty: "No albums yet",
  emptyHint:
    "Put photos that belong together into an album: for yourself, or " +
    "with others, who can look at it and add theirs.",
  photos,
  withOthers: (n: number) => `with ${count(n, "other", "others")}`,
  of: (name: string) => `by ${name}`,
  ofSomebody: "by somebody else",
  somebody: "Somebody",
  you: "You",
  untitled: "Untitled",
  brokenCard: "Frozen",

  name: "Name",
  describe: "Description (optional)",
  forWhom: "Who is it for?",
  forOthers: "With others",
  albumHint: "You invite people, who can look at it or add photos. The " +
    "photos are copied for it, and count twice in your storage.",
  becomesAlbum: (n: number, noun: Noun) =>
    n === 0
      ? "Your first invitation makes this a shared album."
      : `Your first invitation makes this a shared album. ${photos(n, noun)} ${
        n === 1 ? "is" : "are"
      } copied for it, and count twice in your storage.`,
  forMe: "Only for me",
  collectionHint: "A private collection that takes no extra room. You can " +
    "invite people later.",
  create: "Create",
  rename: "Name and description",
  renameCollection: "Rename",
  gone: "This album is not there any more",
  goneHint: "It was deleted, or you are no longer in it.",
  acceptFirst: "Accept the invitation first",
  acceptFirstHint: (title: string) =>
    `You are invited to “${title}”. Its photos show once you accept.`,
  goneCollection: "This collection is not there any more",
  broken: "This album is frozen: the server shows something of it that its " +
    "owner did not sign, or that is older than before. You keep seeing what " +
    "was there. Nothing new is added until the server shows the right album " +
    "again.",

  emptyAlbum: "Nothing in this album yet",
  emptyAlbumHint: "Add photos from your library or from this device. Photos " +
    "from your library stay there too.",
  emptyAlbumViewer: "As soon as somebody adds photos, you see them here.",
  emptyCollection: "Nothing in this collection yet",
  add: "Add photos",
  addLibrary: "From your library",
  addDevice: "From this device",
  addHere: (n: number, noun: Noun) =>
    n === 0 ? "Add" : `Add ${photos(n, noun)}`,
  pick: "Choose photos to add",
  pickNone: "There is nothing in your library yet. Add photos there first.",
  pickFind: "Search your photos",
  adding: (done: number, of: number, noun: Noun) =>
    `Adding ${done.toLocaleString("en")} of ${photos(of, noun)}…`,
  added: (n: number, album: string, noun: Noun) =>
    `${photos(n, noun)} added to “${album}”`,
  known: (n: number) =>
    n === 1
      ? "1 was in it already"
      : `${n.toLocaleString("en")} were in it already`,
  failed: (n: number, noun: Noun) => `${photos(n, noun)} could not be added`,
  addTo: "Add to album…",
  addToTitle: (n: number, noun: Noun) => `Add ${photos(n, noun)} to`,
  takeOut: "Remove from album",
  takenOut: (n: number, noun: Noun) => `${photos(n, noun)} removed`,
  takeOutTitle: (n: number, noun: Noun) =>
    `Remove ${photos(n, noun)} from this album?`,
  takeOutOwn: "What is in your library stays there. What is in this album " +
    "alone goes to the trash.",
  takeOutOthers: (n: number, noun: Noun) =>
    `${photos(n, noun)} of others ${n === 1 ? "goes" : "go"} to their trash.`,
  notYours: "Only photos that you added can be taken out here.",
  onlyOwnerCover: "Only whoever owns the album chooses its cover.",
  takeOutCollection: "Remove from collection",
  cover: "Use as cover",
  coverSet: "Cover changed",

  people: "People",
  invite: "Invite",
  share: "Share link",
  delete: "Delete album",
  deleteTitle: (album: string) => `Delete “${album}”?`,
  deleteText: "Nobody else can see it any more. Your photos stay in your " +
    "library; those that others added go back to them.",
  deleteCollection: "Delete collection",
  deleteCollectionText: "The photos stay where they are.",
  deleted: (album: string) => `“${album}” was deleted`,
  leave: "Leave album",
  leaveTitle: (album: string) => `Leave “${album}”?`,
  leaveText: "You no longer see it, and your photos in it stay with the " +
    "others. Whoever owns it can invite you again.",
  left: (album: string) => `You left “${album}”`,

  whom: "Email address or handle",
  whomHint: "They need an account on this server.",
  find: "Look up",
  notFound: "Nobody here has this address or name. Did they sign up with " +
    "another one?",
  nobody: "They need no account to look, or to send you photos: send them a " +
    "link.",
  linkFor: "Make a share link",
  requestFor: "Make an upload link",
  accounts: {
    open: "Or they sign up here themselves, and you invite them then:",
    invited: "New accounts here are by invitation: whoever runs this server " +
      "can send them one. Then you can invite them.",
    domain: "Accounts here are for certain email addresses, or by invitation " +
      "of whoever runs this server. Then you can invite them.",
  },
  isYou: "That is you.",
  isIn: "They are in this album already.",
  unready:
    "They have an account and have not opened it yet. Ask them to sign " +
    "in once.",
  otherName: "Give them another name",
  called: "Their name",
  calledHint: "You see them under it, and so does everybody in the album to " +
    "whom they have not told one.",
  invitation: (by: string | undefined, album: string) =>
    `${by ?? "Somebody"} invites you to the album “${album}”.`,
  invitationHint: "You see its photos once you accept. Accept only what you " +
    "expect from somebody you know.",
  accept: "Accept",
  anotherTime: "Not now",
  decline: "Decline",
  block: (by: string | undefined) => `Block ${by ?? "this person"}`,
  moreInvitations: (n: number) =>
    `and ${count(n, "more invitation", "more invitations")}`,
  withPeople: "Albums with others",
  role: "They can",
  roles: {
    contributor: "add photos",
    viewer: "only look",
  },
  may: {
    contributor: "can add photos",
    viewer: "can look",
  },
  owner: "owner",
  inviteThem: (name: string) => `Invite ${name}`,
  invited: (name: string) => `${name} is in the album now`,
  onlyYou:
    "No other account sees this album. Invite people to look at it, or to " +
    "add photos of theirs. Links that you made of it are under Sharing.",
  onlyOwner: "Whoever owns the album invites people.",
  makeViewer: "Only let them look",
  makeContributor: "Let them add photos",
  removeMember: "Remove from album",
  removeTitle: (name: string) => `Remove ${name} from the album?`,
  removeText: (name: string) =>
    `${name} can no longer see the album, nor any new photos. What ${name} ` +
    "saved before, nobody can take back. The photos that they added stay.",
  removed: (name: string) => `${name} can no longer see new photos`,

  check: "Check that it is them",
  checkTitle: (name: string) => `Is it really ${name}?`,
  checkText: (name: string) =>
    `Compare this number with ${name}, face to face or on the phone: they ` +
    "find it in the same place. If it is the same, nobody reads along, not " +
    "even whoever runs this server.",
  number: "Safety number",
  same: "It is the same",
  checked: "Compared",
  checkedAt: (when: string) => `You compared it on ${when}.`,
  notChecked: "Not compared yet",
  changedTitle: (name: string) => `${name} has another key now`,
  changedText: (name: string) =>
    `This is so when ${name} made a new account. It is also what you would ` +
    "see if somebody on the server wanted to read along. So nothing was sent, " +
    "and nothing was changed.",
  changedAsk: (name: string) =>
    `Ask ${name}, face to face or on the phone. Their number must now be:`,
  believe: "The number is right, use the new key",
  notNow: "Not now",
  changedShort: "Another key",
};
