import { called } from "./nouns.ts";
import type { Noun } from "../../../workers/photo_lists.ts";

function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

const photos = (n: number, noun: Noun) => count(n, called(noun));
const files = (n: number) => count(n, "file");

/** Links that show photos, links that ask for them, and what guests left. */
export const sharing = {
  title: "Sharing",
  links: "Shared",
  byLink: "Links",
  requests: "Ask for photos",
  inbox: "Received",
  share: "Share link…",
  newLink: "New link",
  makeLink: (n: number, noun: Noun) => `Share ${photos(n, noun)} with a link`,
  emptyLinks: "No links yet",
  emptyLinksHint:
    "A link shows the photos you choose to anyone you give it to. They " +
    "need no account, and you can end it at any time.",
  emptyLinksHow: "Select photos, then press Share.",
  emptyLinksFirst: "First add the photos that you want to share.",
  addFirst: "Add photos",
  choose: "Choose photos",
  name: "Title",
  namePlaceholder: "Summer at the lake",
  message: "Message",
  from: "From",
  fromHint: "Tells people whose photos these are.",
  ends: "Ends",
  endings: {
    day: "after a day",
    week: "after a week",
    month: "after a month",
    quarter: "after three months",
    never: "when I end it",
    keep: "as it is now",
  },
  options: "More options (optional)",
  essence: (n: number, noun: Noun) =>
    n === 1
      ? `Anyone who has the link can see this ${called(noun)} and download it.`
      : `Anyone who has the link can see these ${photos(n, noun)} and ` +
        "download them.",
  until: {
    day: "It works for a day.",
    week: "It works for a week.",
    month: "It works for a month.",
    quarter: "It works for three months.",
  },
  untilEnded: "It works until you end it.",
  withPassphraseToo: "It asks for the passphrase.",
  passphrase: "Passphrase",
  passphraseHint:
    "Send it separately from the link. Without it, the link opens " +
    "nothing.",
  withPassphrase: "Ask for a passphrase",
  passphraseShort: "At least 8 characters.",
  places: "Leave out locations",
  copies: (n: number, noun: Noun) =>
    n === 1
      ? `1 ${called(noun)} contains its location. The link shows a smaller ` +
        "copy without it, not the original."
      : `${photos(n, noun)} contain their location. The link shows smaller ` +
        "copies without it, not the originals.",
  stills: (n: number) =>
    `Of ${count(n, "video")} it shows a still picture, because the video ` +
    "file contains the location.",
  leftOut: (n: number, noun: Noun) =>
    `${photos(n, noun)} ${n === 1 ? "is" : "are"} left out: the location ` +
    "cannot be removed.",
  placesKept: (n: number) =>
    n === 1
      ? "The link gives the original file. People can read from it where it " +
        "was taken."
      : "The link gives the original files. People can read from them where " +
        "they were taken.",
  allLeftOut: "Nothing is left to share. To share it anyway, turn off “Leave " +
    "out locations”.",
  addedSmaller: (n: number, noun: Noun) =>
    `The link was changed. It shows ${photos(n, noun)} as ` +
    `${n === 1 ? "a smaller copy" : "smaller copies"} without the location.`,
  noPlaces: "None of them contains a location.",
  others: (n: number, noun: Noun) =>
    `${photos(n, noun)} from others ${n === 1 ? "is" : "are"} left ` +
    "out: only the person who added a photo can share it with a link.",
  nothing: "None of these can be shared with a link.",
  make: "Create link",
  making: "Creating the link…",
  made: "The link is ready",
  madeHint: "Anyone who has the link can see these photos, but none that you " +
    "add later. You find it again under Sharing.",
  madeHintGuarded:
    "Anyone who has the link and the passphrase can see these photos, " +
    "but none that you add later. You find it again under Sharing.",
  link: "Link",
  copy: "Copy link",
  copied: "Link copied",
  copiedNow: "Copied",
  copyYourself: "Press Ctrl+C to copy it",
  showCode: "Show as QR code",
  code: "QR code of the link",
  codeHint: "Point a phone’s camera at it.",
  send: "Send link…",
  open: "Open",
  untitled: "Photos without a title",
  seen: (n: number) =>
    n === 0
      ? "Not opened yet"
      : n === 1
      ? "Opened at least once"
      : `Opened at least ${n.toLocaleString("en")} times`,
  seenHint: "Somebody who opens it again within an hour is counted once.",
  lastSeen: (when: string) => `last on ${when}`,
  madeAt: (when: string) => `Made on ${when}`,
  endsAt: (when: string) => `Ends on ${when}`,
  endedAt: (when: string) => `Ended on ${when}`,
  neverEnds: "No end date",
  behindPassphrase: "Behind a passphrase",
  photos,
  unknownKey:
    "This link was made elsewhere. You can end it here, but not show " +
    "or change it.",
  change: "Change",
  changed: "The link was changed",
  changeHint:
    "The link itself stays the same. For another passphrase, end it " +
    "and make a new one.",
  contents: "What it shows",
  addPhotos: "Add photos",
  takeOut: "Remove from the link",
  lastOne: "A link shows at least one photo. To stop sharing, end the link.",
  end: "End the link",
  endTitle: "End this link?",
  endText: "It stops working for everybody. This cannot be undone.",
  ended: "The link has ended",
  gone: "This link has ended",

  request: "Ask for photos",
  emptyRequests: "Let others send you photos",
  emptyRequestsHint:
    "Make a link and give it to people who have photos for you, after " +
    "a party or a trip. They need no account. What they send is " +
    "encrypted for you alone, and waits under Received until you " +
    "accept it.",
  note: "What you are asking for, and who you are",
  notePlaceholder: "Photos of Saturday, for Ada and Tom",
  noteHint: "People who open the link see this. The server cannot read it.",
  mostFiles: "Maximum files",
  mostBytes: "Maximum size",
  notANumber: "Type a number of 1 or more.",
  requestMade: "Your link is ready",
  requestMadeHint: "Files that people send appear under Received.",
  untitledRequest: "Without a note",
  used: (n: number, of: number) =>
    `${n.toLocaleString("en")} of ${files(of)} used`,
  ownRequest: "Your own link: files are added without asking",
  endRequest: "End this link",
  endRequestTitle: "End this link?",
  endRequestText:
    "Nobody can send you anything through it any more. Files that are " +
    "still waiting are lost, so accept them first.",
  endRequestEmpty: "Nobody can send you anything through it any more.",
  requestEnded: "The link has ended",

  emptyInbox: "Nothing is waiting",
  emptyInboxHint:
    "Files that others send you through a link wait here until you " +
    "accept them. After 30 days they are deleted.",
  inboxHint:
    "Anyone who has your link can send you files. They come into your " +
    "library only when you accept them.",
  accept: "Accept",
  acceptAll: (n: number) => `Accept all ${n.toLocaleString("en")}`,
  acceptInto: "Accept into",
  library: "Your library",
  refuse: "Refuse",
  refuseTitle: (n: number) => `Refuse ${files(n)}?`,
  refuseText: "The files are deleted, and the sender is not told.",
  refuseAll: "Refuse all",
  accepted: (n: number, known: number) =>
    known === 0
      ? `${files(n)} accepted`
      : n === 0
      ? `${files(known)} ${known === 1 ? "was" : "were"} already here`
      : `${files(n)} accepted, ${known.toLocaleString("en")} ${
        known === 1 ? "was" : "were"
      } already here`,
  ownCame: (n: number, noun: Noun) => `New from your phone: ${photos(n, noun)}`,
  refused: (n: number) => `${files(n)} refused`,
  accepting: (done: number, of: number) =>
    `Accepting ${done.toLocaleString("en")} of ${of.toLocaleString("en")}…`,
  unreadable:
    "This cannot be opened: it was damaged, or encrypted for another " +
    "link.",
  noPreview: "There is no preview for this kind of file.",
  tooLarge: "This is too large to show before you accept it.",
  selectAll: "Select all",
  selectOne: (name: string) => `Select ${name}`,
  sentFor: (note: string) => `Sent for “${note}”`,
  placeOf: (at: number, of: number) =>
    `${at.toLocaleString("en")} of ${of.toLocaleString("en")}`,
  previous: "Previous",
  following: "Next",
};
