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

  truth: "Add photos yourself",
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
      "Open strongroom in Safari on the phone, press + and choose photos. " +
      "Live photos then arrive without their video.",
      "On the home screen: press Share in Safari, then Add to Home " +
      "Screen. Otherwise Safari may delete your key if you do not open " +
      "strongroom for a week.",
      "The Share menu of Photos does not offer websites.",
      "Automatically: only with another app, see below.",
    ],
    android: [
      "Open strongroom in the phone's browser, press + and choose photos. If " +
      "you do not want to wait, press “Send without this page”: Chrome goes " +
      "on when you close strongroom.",
      "To install it, open the browser's menu and choose Install app or Add " +
      "to Home screen. Then press Share in another app and choose strongroom.",
      "Automatically: only with another app, see below.",
    ],
    desk: [
      "Drop photos and folders anywhere on this page.",
      "Automatically: the command line uploads what is new in a folder.",
    ],
  },
  watch: "strongroom push --watch FOLDER",
  install: "Install strongroom",
  installWhy: "It then has its own icon and window.",
  installAsk: "Install strongroom as an app?",
  installed: "strongroom is installed here.",

  folder: "Add from this folder",
  folderWhy:
    "Choose a folder of this device once, such as the camera's. From " +
    "then on, one press adds the files in it that have changed since. " +
    "strongroom cannot look into it by itself while it is closed.",
  folderChoose: "Choose the folder",
  folderAdd: (name: string) => `Add what is new in ${name}`,
  folderOther: "Another folder",
  folderForget: "Forget the folder",
  folderNew: (n: number) =>
    `${n === 1 ? "1 new file was" : `${files(n)} that are new were`} found.`,
  folderNone: "Nothing new was found.",
  folderDenied:
    "The browser did not let strongroom read the folder. Choose it " +
    "again.",

  set: "Upload photos automatically",
  setWhy: "An app on the phone sends new photos to a computer that runs " +
    "strongroom for you: your server, or a small one at home. That computer " +
    "encrypts each photo as it arrives, and cannot open any of them.",
  makeFirst: "1. Make a link for your phone",
  makeWhy: "Everything that is sent through this link goes into your library " +
    "without asking. Keep it to yourself.",
  make: "Make the link",
  note: "My phone",
  again: "Make another link",
  giveFirst: "2. Give it to whoever runs that computer",
  giveWhy: "They enter the link there. You get an address, a name and a " +
    "password for your phone, and often a code to scan.",
  forRunner: "For the person who runs that computer",
  needs: "It needs strongroom and https, and is on when the phone sends.",
  runWhy: "Start this, with a certificate for the computer's name:",
  addWhy: "Then add the phone, in another terminal:",
  enterFirst: "3. Enter what you got into an app on your phone",
  enterWhy: "Choose your app to see where each part belongs:",
  apps: [
    {
      name: "PhotoSync (iPhone, Android)",
      steps: [
        "Add a target of type WebDAV.",
        "Enter the address as the server, then the name and the password.",
        "Have it transfer originals: HEIC, and live photos with their video.",
        "Turn on automatic transfers.",
        "Leave deleting after the transfer off.",
      ],
      tried:
        "Not tried on a phone. It uploads by WebDAV, which we tried with " +
        "rclone, curl, cadaver, lftp, davfs2 and gvfs.",
    },
    {
      name: "FolderSync (Android)",
      steps: [
        "Add an account of type WebDAV with the address, the name and the " +
        "password.",
        "Add a folder pair: left the DCIM folder, right a folder of the " +
        "account, direction to right.",
        "Leave deletions off.",
      ],
      tried: "Not tried on a phone. It uploads by WebDAV or SFTP, which we " +
        "tried with rclone, lftp and others.",
    },
    {
      name: "Round Sync (Android)",
      steps: [
        "Add a remote of type WebDAV with the address, the name and the " +
        "password. Choose the vendor other.",
        "Add a task that copies the DCIM folder to the remote. Choose copy, " +
        "not sync or move.",
      ],
      tried: "Not tried on a phone. It is rclone, which we tried on a " +
        "computer: copying, repeating, and continuing after breaks.",
    },
    {
      name: "Nextcloud (iPhone, Android)",
      steps: [
        "Enter the address as the server.",
        "Sign in on the page that opens with the name and the password.",
        "Turn on automatic upload.",
      ],
      tried: "Not tried on a phone. We tried the requests that the app is " +
        "known to send. The app shows names and cannot open what it sent.",
    },
    {
      name: "Synology Photos",
      steps: [
        "It uploads only to Synology's own server. Use one of the apps above.",
      ],
      tried: "It does not work with receive.",
    },
  ],
  door: "The address, to scan it (optional)",
  doorWhy: "Enter the address that you got, and scan the code with your " +
    "phone instead of typing it there. This browser remembers the address.",
  afterFirst: "4. Open strongroom from time to time",
  afterWhy:
    "What your phone sent waits up to 30 days for one of your devices " +
    "to add it: strongroom in a browser, or strongroom sync on a timer.",
  keeps: "strongroom deletes nothing on your phone. Turn deletion off in " +
    "the app, too: a file that was received is not yet proven to be in " +
    "your library.",
};
