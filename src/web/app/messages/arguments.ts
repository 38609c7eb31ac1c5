// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import type { Noun } from "../../workers/library/photo_lists.ts";

/** What each text is given that is given anything. */
export type Given = {
  readonly abroad: {
    readonly on: { readonly host: string };
    readonly compare: { readonly name: string };
    readonly notAsked: { readonly host: string };
    readonly reads: { readonly name: string };
    readonly letIn: { readonly name: string };
    readonly sendLink: { readonly name: string };
    readonly findsIt: { readonly name: string };
    readonly believed: { readonly name: string };
    readonly sendCard: { readonly day: string };
    readonly goodUntil: { readonly day: string };
    readonly invites: { readonly name: string; readonly host: string };
    readonly look: { readonly host: string };
    readonly copied: { readonly n: string };
    readonly asksAgain: { readonly name: string; readonly host: string };
    readonly reportTo: { readonly host: string };
    readonly noLog: { readonly host: string };
    readonly stopped: {
      readonly removed: { readonly host: string };
      readonly revoked: { readonly host: string };
      readonly refused: { readonly host: string };
      readonly doubtful: { readonly host: string };
      readonly error: { readonly host: string };
      readonly away: { readonly host: string };
      readonly not_pinned: { readonly host: string };
    };
    readonly forYouCard: { readonly host: string };
    readonly forYouPickup: { readonly host: string };
    readonly kept: { readonly name: string };
    readonly faults: {
      readonly not_pinned: { readonly host: string };
      readonly away: { readonly host: string };
    };
  };
  readonly albums: {
    readonly photos: { readonly noun: Noun; readonly n: number };
    readonly withOthers: { readonly n: number };
    readonly of: { readonly name: string };
    readonly acceptFirstHint: { readonly title: string };
    readonly addHere: { readonly n: number; readonly noun: Noun };
    readonly adding: { readonly done: number; readonly noun: Noun; readonly of: number };
    readonly added: { readonly noun: Noun; readonly n: number; readonly album: string };
    readonly known: { readonly n: number };
    readonly failed: { readonly noun: Noun; readonly n: number };
    readonly addToTitle: { readonly noun: Noun; readonly n: number };
    readonly takenOut: { readonly noun: Noun; readonly n: number };
    readonly takeOutTitle: { readonly noun: Noun; readonly n: number };
    readonly takeOutOthers: { readonly noun: Noun; readonly n: number };
    readonly deleteTitle: { readonly album: string };
    readonly deleted: { readonly album: string };
    readonly leaveTitle: { readonly album: string };
    readonly left: { readonly album: string };
    readonly invitation: { readonly by: string; readonly album: string };
    readonly block: { readonly by: string };
    readonly moreInvitations: { readonly n: number };
    readonly inviteThem: { readonly name: string };
    readonly invited: { readonly name: string };
    readonly leftOut: { readonly name: string };
    readonly removeTitle: { readonly name: string };
    readonly removeText: { readonly name: string };
    readonly removed: { readonly name: string };
    readonly checkTitle: { readonly name: string };
    readonly checkText: { readonly name: string };
    readonly checkedAt: { readonly when: string };
    readonly changedTitle: { readonly name: string };
    readonly changedText: { readonly name: string };
    readonly changedAsk: { readonly name: string };
    readonly invitationBySomebody: { readonly album: string };
    readonly archivedNow: { readonly noun: Noun; readonly n: number };
    readonly inTimeline: { readonly noun: Noun; readonly n: number };
    readonly moving: {
      readonly label: { readonly title: string };
      readonly now: { readonly title: string; readonly at: number; readonly n: number };
    };
    readonly inFolder: { readonly n: number };
    readonly leaveStayed: { readonly n: number };
    readonly timelineShown: { readonly album: string };
    readonly timelineOver: { readonly album: string };
  };
  readonly connection: {
    readonly otherOrigin: { readonly origin: string };
  };
  readonly editing: {
    readonly title: { readonly noun: Noun; readonly n: number };
    readonly stars: { readonly n: number };
    readonly changed: { readonly noun: Noun; readonly n: number };
  };
  readonly entry: {
    readonly server: { readonly host: string };
    readonly step: { readonly at: number; readonly of: number };
    readonly wordsFileText: { readonly address: string; readonly host: string; readonly words: string };
    readonly word: { readonly place: number };
    readonly signedUpAs: { readonly address: string };
    readonly sameForeign: { readonly origin: string };
    readonly wordsCount: { readonly count: number };
    readonly browsers: {
      readonly android: { readonly browser: string };
      readonly iphone: { readonly browser: string };
      readonly ipad: { readonly browser: string };
      readonly mac: { readonly browser: string };
      readonly windows: { readonly browser: string };
      readonly linux: { readonly browser: string };
    };
  };
  readonly faces: {
    readonly left: { readonly n: number };
    readonly waiting: { readonly n: number };
    readonly passed: { readonly n: number };
    readonly once: { readonly n: number };
    readonly hiddenPeople: { readonly n: number };
    readonly sameNameTitle: { readonly name: string };
    readonly sameName: { readonly name: string };
    readonly personNumber: { readonly n: number };
    readonly faceNumber: { readonly n: number };
    readonly removed: { readonly n: number };
  };
  readonly faults: {
    readonly tooMany: { readonly seconds: number };
    readonly waiting: { readonly seconds: number };
  };
  readonly filling: {
    readonly fills: { readonly n: number };
    readonly fillsPlaces: { readonly n: number };
    readonly fillsFrom: { readonly day: string };
  };
  readonly films: {
    readonly place: { readonly at: number; readonly of: number; readonly name: string };
    readonly made: { readonly n: number };
    readonly needless: { readonly n: number };
    readonly films: { readonly n: number };
  };
  readonly findings: {
    readonly backup: {
      readonly theLastOneIs: { readonly 1: string; readonly 2: string };
      readonly theLastOneIsDays: { readonly 1: string; readonly 2: string; readonly 3: string };
      readonly theLastOneIsDaysOld: { readonly 1: string; readonly 2: string };
    };
    readonly disk: {
      readonly freeReservedUploadsAre: { readonly 1: string; readonly 2: string };
      readonly freeReserved: { readonly 1: string; readonly 2: string };
    };
    readonly clock: {
      readonly sAheadOf: { readonly 1: string; readonly 2: string };
      readonly sBehind: { readonly 1: string; readonly 2: string };
      readonly thisClockSaysAnd: { readonly 1: string; readonly 2: string };
      readonly thisClockSaysAndIs: { readonly 1: string; readonly 2: string; readonly 3: string };
    };
    readonly baseUrl: {
      readonly cannotBeReachedFrom: { readonly 1: string; readonly 2: string };
      readonly redirectsTo: { readonly 1: string; readonly 2: string; readonly 3: string };
      readonly somethingElseAnswersAt: { readonly 1: string; readonly 2: string };
      readonly anotherStrongroomAnswersAt: { readonly 1: string; readonly 2: string };
      readonly aProxyPassesAnotherHost: { readonly 1: string };
      readonly aProxyCompresses: { readonly 1: string };
      readonly aProxyRemovesThe: { readonly 1: string };
      readonly aProxyChangesThe: { readonly 1: string };
    };
    readonly notices: {
      readonly hasTakenNothingSince: { readonly 1: string; readonly 2: string; readonly 3: string };
      readonly wasNeverTried: { readonly 1: string };
    };
    readonly proxy: {
      readonly requestsWithForwardingHeaders: { readonly 1: string; readonly 2: string };
      readonly ifThatIsYour: { readonly 1: string };
    };
    readonly permissions: {
      readonly belongsToUserBut: { readonly 1: string; readonly 2: string };
      readonly belongsToUserButThis: { readonly 1: string; readonly 2: string; readonly 3: string };
      readonly containsASecretAnd: { readonly 1: string; readonly 2: string };
      readonly containsASecretAndIs: { readonly 1: string; readonly 2: string };
      readonly isOpenToOthers: { readonly 1: string; readonly 2: string };
      readonly isOpenToAll: { readonly 1: string; readonly 2: string };
    };
    readonly database: {
      readonly isDamaged: { readonly 1: string };
      readonly itsWriteAheadLog: { readonly 1: string };
    };
    readonly configuration: {
      readonly streetsOfAreNotOffered: { readonly 1: string; readonly 2: string };
    };
  };
  readonly grid: {
    readonly selectDay: { readonly day: string };
    readonly selected: { readonly n: number };
    readonly daysLeft: { readonly days: number };
    readonly stacked: { readonly n: number };
  };
  readonly guest: {
    readonly takes: { readonly files: number; readonly size: string; readonly until: string };
    readonly sending: { readonly n: number };
    readonly arrived: { readonly n: number };
    readonly arrivedSome: { readonly n: number; readonly not: number };
    readonly knownOnly: { readonly n: number };
    readonly progressOf: { readonly name: string };
    readonly again: { readonly name: string };
    readonly cancel: { readonly name: string };
    readonly remove: { readonly name: string };
    readonly offline: { readonly seconds: number };
    readonly noMoreFiles: { readonly n: number };
    readonly tooBig: { readonly left: string };
  };
  readonly hiding: {
    readonly title: { readonly noun: Noun; readonly n: number };
    readonly album: { readonly title: string };
    readonly link: { readonly title: string };
    readonly frame: { readonly title: string };
  };
  readonly imports: {
    readonly checking: { readonly done: number; readonly total: number };
    readonly begin: { readonly n: number };
    readonly kept: { readonly n: number };
    readonly known: { readonly n: number };
    readonly told: { readonly n: number };
    readonly failed: { readonly n: number };
    readonly stopped: { readonly n: number };
    readonly failedTitle: { readonly n: number };
    readonly stoppedTitle: { readonly n: number };
    readonly leftTitle: { readonly n: number };
    readonly deletedTitle: { readonly n: number };
    readonly untoldTitle: { readonly n: number };
    readonly unusedTitle: { readonly n: number };
    readonly besidesTitle: { readonly n: number };
    readonly undatedTitle: { readonly n: number };
    readonly correctedTitle: { readonly n: number };
    readonly line: { readonly path: string; readonly why: string };
    readonly begun: { readonly names: string };
  };
  readonly lightbox: {
    readonly place: { readonly at: number; readonly of: number };
    readonly tooLarge: { readonly size: string };
    readonly textCut: { readonly size: string };
    readonly about: {
      readonly added: { readonly when: string };
      readonly addedBy: { readonly name: string };
      readonly searchPerson: { readonly name: string };
      readonly pixels: { readonly width: string; readonly height: string };
      readonly megapixels: { readonly n: string };
      readonly altitude: { readonly metres: string };
    };
  };
  readonly link: {
    readonly from: { readonly who: string };
    readonly summary: { readonly noun: Noun; readonly n: number; readonly size: string };
    readonly smaller: { readonly n: number };
    readonly unread: { readonly n: number };
    readonly waiting: { readonly seconds: number };
    readonly allSmaller: { readonly n: number };
  };
  readonly map: {
    readonly ofAlbum: { readonly title: string };
    readonly here: { readonly noun: Noun; readonly n: number };
  };
  readonly memories: {
    readonly best: { readonly year: string };
    readonly hidePlace: { readonly place: string };
    readonly leftOut: { readonly n: number };
  };
  readonly operator: {
    readonly backupHolds: { readonly n: number; readonly size: string };
    readonly backupDamaged: { readonly n: number };
    readonly checkDone: { readonly when: string };
    readonly checkAt: { readonly percent: number };
    readonly checkLost: { readonly n: number };
    readonly certificateEnds: { readonly when: string };
    readonly free: { readonly free: string; readonly reserved: string };
    readonly stored: { readonly used: string; readonly trash: string };
    readonly database: { readonly size: string };
    readonly noticeSent: { readonly when: string };
    readonly noticeFails: { readonly when: string; readonly why: string };
    readonly noticeWaits: { readonly n: number };
    readonly used: { readonly size: string };
    readonly usedOf: { readonly size: string; readonly quota: string };
    readonly seen: { readonly when: string };
    readonly manage: { readonly who: string };
    readonly signedOut: { readonly n: number };
    readonly until: { readonly when: string };
    readonly untilWith: { readonly when: string; readonly size: string };
    readonly takeBackThis: { readonly when: string };
    readonly linkWhy: { readonly when: string };
  };
  readonly phone: {
    readonly waits: { readonly n: number; readonly since: string };
    readonly last: { readonly when: string };
    readonly lastSent: { readonly day: string };
    readonly silent: { readonly names: string; readonly day: string };
    readonly inAll: { readonly n: number };
    readonly ends: { readonly day: string };
    readonly ended: { readonly day: string };
    readonly folderAdd: { readonly name: string };
    readonly folderNew: { readonly n: number };
  };
  readonly photos: {
    readonly nothingFound: { readonly q: string };
    readonly found: { readonly noun: Noun; readonly n: number };
    readonly trashed: { readonly noun: Noun; readonly n: number };
    readonly hiddenNow: { readonly noun: Noun; readonly n: number };
    readonly shownAgain: { readonly noun: Noun; readonly n: number };
  };
  readonly pictureFrame: {
    readonly madeHow: { readonly address: string };
    readonly count: { readonly n: number };
  };
  readonly pictureText: {
    readonly left: { readonly n: number };
    readonly waiting: { readonly n: number };
    readonly passed: { readonly n: number };
  };
  readonly prove: {
    readonly photo: { readonly name: string };
    readonly proof: { readonly name: string };
    readonly entry: { readonly index: number; readonly size: number; readonly origin: string };
    readonly seenAt: { readonly name: string; readonly when: string };
  };
  readonly remarks: {
    readonly hearts: { readonly n: number };
    readonly comments: { readonly n: number };
    readonly by: { readonly names: string };
    readonly newsCount: { readonly n: number };
    readonly added: { readonly name: string; readonly noun: Noun; readonly n: number; readonly album: string };
    readonly liked: { readonly name: string; readonly n: number; readonly album: string };
    readonly said: { readonly name: string; readonly album: string };
    readonly byOwnLink: { readonly name: string };
    readonly byLink: { readonly name: string; readonly who: string };
  };
  readonly safety: {
    readonly allWell: { readonly noun: Noun; readonly n: number };
    readonly unproven: { readonly noun: Noun; readonly n: number };
    readonly all: { readonly total: string };
    readonly of: { readonly n: string; readonly total: string };
    readonly last: { readonly when: string };
    readonly knownOf: { readonly n: string; readonly of: string };
    readonly running: { readonly done: string; readonly of: string };
    readonly outcome: { readonly n: number; readonly wrong: number };
    readonly outcomeOfReceipts: { readonly n: number; readonly wrong: number };
    readonly left: { readonly n: number };
    readonly lost: { readonly n: number };
    readonly alarm: { readonly n: number };
    readonly gone: {
      readonly more: { readonly n: number };
      readonly giveUpTitle: { readonly name: string };
    };
    readonly logs: {
      readonly witnessed: { readonly when: string; readonly names: string; readonly n: number; readonly of: number };
      readonly notEnough: { readonly n: number; readonly names: string; readonly need: number };
      readonly changes: { readonly n: number };
      readonly foreign: { readonly n: number };
      readonly receipts: { readonly n: number };
      readonly app: { readonly n: number };
      readonly doubt: { readonly name: string };
      readonly unsigned: { readonly need: number };
    };
    readonly receipt: { readonly seq: number; readonly when: string };
  };
  readonly saving: {
    readonly files: { readonly done: number; readonly of: number };
    readonly bytes: { readonly done: string; readonly of: string };
    readonly part: { readonly at: number; readonly of: number };
    readonly savePart: { readonly at: number; readonly of: number };
    readonly done: { readonly name: string };
    readonly exported: { readonly files: number; readonly size: string };
    readonly left: { readonly n: number };
    readonly unread: { readonly n: number };
    readonly all: {
      readonly size: { readonly files: number; readonly size: string };
      readonly trash: { readonly n: number };
      readonly unopened: { readonly n: number };
    };
  };
  readonly secrets: {
    readonly unknown: { readonly list: string };
    readonly tooFew: { readonly count: number; readonly missing: number };
    readonly notThisWord: { readonly place: number };
    readonly unknownWord: { readonly place: number; readonly word: string };
    readonly tooMany: { readonly count: number };
  };
  readonly settings: {
    readonly dropDevices: { readonly devices: string };
    readonly since: { readonly day: string };
    readonly renameDevice: { readonly name: string };
    readonly used: { readonly when: string };
    readonly added: { readonly day: string };
    readonly endTitle: { readonly name: string };
    readonly addUntil: { readonly time: string };
    readonly addCompare: { readonly name: string };
    readonly addDone: { readonly name: string };
    readonly minutes: { readonly n: number };
    readonly used2: { readonly used: string };
    readonly usedOf: { readonly used: string; readonly of: string };
    readonly standingSuspended: { readonly day: string };
    readonly originSuggested: { readonly origin: string };
    readonly originUse: { readonly origin: string };
    readonly originBack: { readonly origin: string };
    readonly deleteType: { readonly word: string };
  };
  readonly shared: {
    readonly title: { readonly n: number };
    readonly more: { readonly n: number };
  };
  readonly sharing: {
    readonly makeLink: { readonly noun: Noun; readonly n: number };
    readonly essence: { readonly noun: Noun; readonly n: number };
    readonly edited: { readonly n: number };
    readonly copies: { readonly noun: Noun; readonly n: number };
    readonly stills: { readonly n: number };
    readonly leftOut: { readonly noun: Noun; readonly n: number };
    readonly placesKept: { readonly n: number };
    readonly addedSmaller: { readonly noun: Noun; readonly n: number };
    readonly others: { readonly noun: Noun; readonly n: number };
    readonly seen: { readonly n: number };
    readonly lastSeen: { readonly when: string };
    readonly madeAt: { readonly when: string };
    readonly endsAt: { readonly when: string };
    readonly endedAt: { readonly when: string };
    readonly photos: { readonly noun: Noun; readonly n: number };
    readonly used: { readonly n: number; readonly of: number };
    readonly acceptAll: { readonly n: number };
    readonly sentBy: { readonly who: string };
    readonly refuseTitle: { readonly n: number };
    readonly accepted: { readonly n: number };
    readonly ownCame: { readonly noun: Noun; readonly n: number };
    readonly refused: { readonly n: number };
    readonly accepting: { readonly done: number; readonly of: number };
    readonly selectOne: { readonly name: string };
    readonly sentFor: { readonly note: string };
    readonly placeOf: { readonly at: number; readonly of: number };
    readonly known: { readonly known: number };
    readonly acceptedAndKnown: { readonly n: number; readonly known: number };
    readonly savedShared: { readonly n: number };
  };
  readonly shell: {
    readonly unsent: { readonly n: number };
    readonly waitingFiles: { readonly n: number };
    readonly newAlbums: { readonly n: number };
  };
  readonly similar: {
    readonly looked: { readonly done: number; readonly of: number };
    readonly lookThrough: { readonly n: number };
    readonly lookWhy: { readonly size: string };
    readonly same: { readonly noun: Noun; readonly n: number };
    readonly alike: { readonly n: number };
    readonly keepNamed: { readonly name: string };
    readonly inAlbum: { readonly title: string };
    readonly compareNamed: { readonly name: string };
    readonly throwAway: { readonly noun: Noun; readonly n: number };
    readonly copies: { readonly n: number };
    readonly copiesTitle: { readonly n: number };
  };
  readonly slideshow: {
    readonly seconds: { readonly n: number };
    readonly place: { readonly at: number; readonly of: number };
  };
  readonly sphere: {
    readonly picture: { readonly name: string };
  };
  readonly stacks: {
    readonly of: { readonly n: number };
  };
  readonly things: {
    readonly left: { readonly n: number };
    readonly waiting: { readonly n: number };
    readonly passed: { readonly n: number };
  };
  readonly trash: {
    readonly wholeTitle: { readonly noun: Noun; readonly n: number };
    readonly restored: { readonly noun: Noun; readonly n: number };
    readonly purged: { readonly noun: Noun; readonly n: number };
    readonly purgeTitle: { readonly noun: Noun; readonly n: number };
    readonly emptyTitle: { readonly noun: Noun; readonly n: number };
    readonly failed: { readonly noun: Noun; readonly n: number };
    readonly othersStay: { readonly n: number };
  };
  readonly upload: {
    readonly adding: { readonly done: number; readonly total: number };
    readonly added: { readonly kept: number };
    readonly back: { readonly noun: Noun; readonly n: number };
    readonly failed: { readonly n: number };
    readonly progress: { readonly done: string; readonly total: string };
    readonly percent: { readonly n: number };
    readonly proofsLeft: { readonly n: number; readonly names: string };
    readonly andMore: { readonly n: number };
    readonly cancelTitle: { readonly n: number };
    readonly handed: { readonly n: number };
    readonly browserTitle: { readonly n: number };
    readonly browserAdded: { readonly n: number };
    readonly noted: { readonly n: number };
    readonly besides: { readonly n: number };
    readonly undated: { readonly n: number };
    readonly unfinished: { readonly n: number };
    readonly notAdded: { readonly left: number; readonly total: number };
    readonly noneAdded: { readonly n: number };
    readonly known: { readonly known: number };
    readonly addedAndKnown: { readonly kept: number; readonly known: number };
  };
};
