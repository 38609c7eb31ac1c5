function files(n: number): string {
  return `${n.toLocaleString("en")} ${n === 1 ? "file" : "files"}`;
}

/** The page about a person's own phone. */
export const phone = {
  came: "From your phone",
  waits: (n: number, since: string) =>
    `${n === 1 ? "1 file waits" : `${files(n)} wait`} to be added, the ` +
    `oldest since ${since}. strongroom adds them while it is open on one of ` +
    "your devices.",
  waitsNone: "Nothing is waiting.",
  last: (when: string) => `This browser last added something on ${when}.`,
  lastNone: "This browser has not added anything from your phone yet.",
  lastSent: (day: string) => `the last on ${day}`,
  silent: (names: string, day: string) =>
    `${names} has not sent anything since ${day}. Open the app that uploads ` +
    "on the phone: it may have been stopped, or need its password again. " +
    "Then run this on the computer that receives:",
  inAll: (n: number) => `${files(n)} sent in all`,
  ends: (day: string) => `takes photos until ${day}`,
  ended: (day: string) => `ended on ${day}`,
  renew: "A link works for 90 days at most. Make a new one below in time, " +
    "and give it to the computer that receives:",

  truth: "What uploads automatically",
  truthWhy: "Browsers do not let a website look for new photos while it is " +
    "closed. So a phone uploads nothing automatically, unless an app " +
    "on the phone does it.",
  systems: {
    ios: "iPhone and iPad",
    android: "Android",
    desk: "Computer",
  },
  facts: {
    ios: [
      "Automatically: only with another app. Apps that send new photos " +
      "to a WebDAV server work, see below.",
      "By hand: press + and choose photos. Live photos then arrive " +
      "without their video.",
      "The Share menu of Photos does not offer websites.",
      "On the home screen: press Share in Safari, then Add to Home " +
      "Screen. Otherwise Safari may delete your key if you do not open " +
      "strongroom for a week.",
    ],
    android: [
      "Automatically: only with another app. Apps that send new photos " +
      "to a WebDAV server work, see below.",
      "By hand: press + and choose photos.",
      "Once strongroom is installed, press Share in another app and choose " +
      "strongroom.",
      "To install, open the browser's menu and choose Install app or Add to " +
      "Home screen.",
    ],
    desk: [
      "By hand: drop photos and folders anywhere on this page.",
      "Automatically: the command line uploads what is new in a folder.",
    ],
  },
  watch: "strongroom push --watch FOLDER",
  install: "Install strongroom",
  installWhy: "It then has its own icon and window.",
  installAsk: "Install strongroom as an app?",
  installed: "strongroom is installed here.",

  set: "Upload photos automatically",
  setWhy: "strongroom receive takes photos from apps over WebDAV. It " +
    "encrypts each one for you as it arrives, and cannot open any of " +
    "them.",
  needs: "You need a computer with strongroom and https that is on when the " +
    "phone sends: your server, or a small one at home.",
  makeFirst: "1. Make a link for your phone",
  makeWhy: "Everything that is sent through this link goes into your library " +
    "without asking. Keep it to yourself.",
  make: "Make the link",
  note: "My phone",
  again: "Make another link",
  runFirst: "2. Run this on that computer",
  runWhy: "With a certificate for its name:",
  addWhy: "Then add your phone, in another terminal:",
  enterFirst: "3. Enter what it shows into the app on your phone",
  enterWhy:
    "It shows an address, a name and a password, and with --qr also a " +
    "code to scan. FolderSync and Round Sync (Android) and PhotoSync " +
    "(iPhone, Android) upload to WebDAV. We have not tried them on a " +
    "phone; rclone, curl and davfs2 work.",
  afterFirst: "4. Open strongroom from time to time",
  afterWhy:
    "What your phone sent waits up to 30 days for one of your devices " +
    "to add it: strongroom in a browser, or strongroom sync on a timer.",
  keeps: "strongroom deletes nothing on your phone. Turn deletion off in " +
    "the app, too: a file that was received is not yet proven to be in " +
    "your library.",
};
