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
  emptyHint: "Put photos that belong together into an album, for yourself or " +
    "with others. Others can view it and add their own photos.",
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
  albumHint: "People you invite can view it or add photos. Photos are copied " +
    "into it, so they count twice in your storage.",
  becomesAlbum: (n: number, noun: Noun) =>
    n === 0
      ? "Your first invitation makes this a shared album."
      : "Your first invitation makes this a shared album. " +
        `${photos(n, noun)} will be copied into it and count twice in your ` +
        "storage.",
  forMe: "Only for me",
  collectionHint:
    "A private collection that takes no extra space. You can invite " +
    "people later.",
  create: "Create",
  rename: "Name and description",
  renameCollection: "Rename",
  gone: "This album is no longer here",
  goneHint: "It was deleted, or you are no longer in it.",
  acceptFirst: "Accept the invitation first",
  acceptFirstHint: (title: string) =>
    `You are invited to “${title}”. You see its photos once you accept.`,
  goneCollection: "This collection is no longer here",
  broken: "This album is frozen. The server sent a version that its owner " +
    "did not sign, or one that is older than before. You still see the " +
    "photos that were there. Nothing new appears until the server " +
    "sends the right version.",

  emptyAlbum: "Nothing in this album yet",
  emptyAlbumHint: "Add photos from your library or from this device. Photos " +
    "from your library stay there too.",
  emptyAlbumViewer: "Photos appear here as soon as somebody adds some.",
  emptyCollection: "Nothing in this collection yet",
  add: "Add photos",
  addLibrary: "From your library",
  addDevice: "From this device",
  addHere: (n: number, noun: Noun) =>
    n === 0 ? "Add" : `Add ${photos(n, noun)}`,
  pick: "Choose photos to add",
  pickNone: "Your library is empty. Add photos to it first.",
  pickFind: "Search your photos",
  adding: (done: number, of: number, noun: Noun) =>
    `Adding ${done.toLocaleString("en")} of ${photos(of, noun)}…`,
  added: (n: number, album: string, noun: Noun) =>
    `${photos(n, noun)} added to “${album}”`,
  known: (n: number) =>
    n === 1
      ? "1 was already in it"
      : `${n.toLocaleString("en")} were already in it`,
  failed: (n: number, noun: Noun) => `${photos(n, noun)} could not be added`,
  addTo: "Add to album…",
  addToTitle: (n: number, noun: Noun) => `Add ${photos(n, noun)} to`,
  takeOut: "Remove from album",
  takenOut: (n: number, noun: Noun) => `${photos(n, noun)} removed`,
  takeOutTitle: (n: number, noun: Noun) =>
    `Remove ${photos(n, noun)} from this album?`,
  takeOutOwn:
    "Photos that are in your library stay there. Photos that are only " +
    "in this album go to the trash.",
  takeOutOthers: (n: number, noun: Noun) =>
    `${photos(n, noun)} from others ${n === 1 ? "goes" : "go"} to ` +
    "their trash.",
  takeOutCollection: "Remove from collection",
  cover: "Use as cover",
  coverSet: "Cover changed",

  people: "People",
  invite: "Invite",
  share: "Share link",
  delete: "Delete album",
  deleteTitle: (album: string) => `Delete “${album}”?`,
  deleteText: "Nobody else can see it any more. Your photos stay in your " +
    "library. Photos that others added go back to them.",
  deleteCollection: "Delete collection",
  deleteCollectionText: "The photos stay where they are.",
  deleted: (album: string) => `“${album}” was deleted`,
  leave: "Leave album",
  leaveTitle: (album: string) => `Leave “${album}”?`,
  leaveText: "You no longer see it. The photos that you added stay in it for " +
    "the others. The owner can invite you again.",
  left: (album: string) => `You left “${album}”`,

  whom: "Email address or handle",
  whomHint: "They need an account on this server.",
  find: "Look up",
  notFound: "Nobody here has this address or handle. Did they sign up with " +
    "another one?",
  nobody: "People need no account to look at photos or to send you some. " +
    "Send them a link.",
  linkFor: "Make a share link",
  requestFor: "Make an upload link",
  accounts: {
    open: "Or they create an account here, and then you invite them:",
    invited: "New accounts here need an invitation. The person who runs this " +
      "server can send one. Then you can invite them.",
    domain:
      "New accounts here need an email address that this server allows, " +
      "or an invitation from the person who runs it. Then you can invite " +
      "them.",
  },
  isYou: "That is you.",
  isIn: "They are already in this album.",
  unready:
    "They have an account but have not opened it yet. Ask them to sign " +
    "in once.",
  otherName: "Give them a different name",
  called: "Their name",
  calledHint: "You see them under this name. Others in the album see it too, " +
    "unless this person told them another one.",
  invitation: (by: string | undefined, album: string) =>
    `${by ?? "Somebody"} invites you to the album “${album}”.`,
  invitationHint:
    "You see its photos once you accept. Accept only an invitation " +
    "that you expect, from somebody you know.",
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
    viewer: "only view",
  },
  may: {
    contributor: "can add photos",
    viewer: "can view",
  },
  owner: "owner",
  inviteThem: (name: string) => `Invite ${name}`,
  invited: (name: string) => `${name} is invited`,
  onlyYou: "No other account can see this album. Invite people to view it or " +
    "to add their photos. Links to its photos are listed under Sharing.",
  notTold: "You are not told whether somebody has accepted your invitation " +
    "yet. Whoever added photos has.",
  onlyOwner: "Only the owner of the album can invite people.",
  makeViewer: "Only let them view",
  makeContributor: "Let them add photos",
  removeMember: "Remove from album",
  removeTitle: (name: string) => `Remove ${name} from the album?`,
  removeText: (name: string) =>
    `${name} can no longer see the album or new photos. Nobody can ` +
    `take back what ${name} saved before. Photos that ${name} added ` +
    "stay.",
  removed: (name: string) => `${name} can no longer see new photos`,

  check: "Check that it is really them",
  checkTitle: (name: string) => `Is it really ${name}?`,
  checkText: (name: string) =>
    `Compare this number with ${name}, in person or on the phone. ` +
    `${name} finds it in the same place. If the numbers are the same, ` +
    "nobody else is reading along, not even the person who runs this " +
    "server.",
  number: "Safety number",
  same: "They are the same",
  checked: "Compared",
  checkedAt: (when: string) => `You compared it on ${when}.`,
  notChecked: "Not compared yet",
  changedTitle: (name: string) => `${name} has a new key`,
  changedText: (name: string) =>
    `This happens when ${name} creates a new account. It would also ` +
    "happen if somebody at the server tried to read along. So nothing " +
    "was sent and nothing was changed.",
  changedAsk: (name: string) =>
    `Ask ${name}, in person or on the phone. Their number must now be:`,
  believe: "The numbers match, use the new key",
  notNow: "Not now",
  changedShort: "New key",
};
