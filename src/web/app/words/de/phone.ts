import type { Words } from "../en.ts";

function files(n: number): string {
  return `${n.toLocaleString("de")} ${n === 1 ? "Datei" : "Dateien"}`;
}

export const phone: Words["phone"] = {
  came: "Von deinem Handy",
  waits: (n, since) =>
    `${n === 1 ? "1 Datei wartet" : `${files(n)} warten`} darauf, ` +
    `hinzugefügt zu werden, die älteste seit ${since}. strongroom fügt sie ` +
    "hinzu, solange es auf einem deiner Geräte offen ist.",
  waitsNone: "Nichts wartet.",
  last: (when) => `Dieser Browser hat zuletzt am ${when} etwas hinzugefügt.`,
  lastNone: "Dieser Browser hat noch nichts von deinem Handy hinzugefügt.",
  lastSent: (day) => `zuletzt am ${day}`,
  silent: (names, day) =>
    `${names} hat seit dem ${day} nichts gesendet. Öffne auf dem Handy die ` +
    "App, die hochlädt: Vielleicht wurde sie beendet oder braucht ihr " +
    "Passwort wieder. Starte dann auf dem Computer, der empfängt:",
  inAll: (n) => `insgesamt ${files(n)} gesendet`,
  ends: (day) => `nimmt Fotos bis ${day}`,
  ended: (day) => `beendet am ${day}`,
  renew: "Ein Link gilt höchstens 90 Tage. Mach unten rechtzeitig einen " +
    "neuen, und gib ihn dem Computer, der empfängt:",

  truth: "Fotos selbst hinzufügen",
  truthWhy:
    "Browser lassen eine Website nicht nach neuen Fotos sehen, solange " +
    "sie geschlossen ist. Ein Handy lädt deshalb nichts automatisch " +
    "hoch, außer eine App auf dem Handy tut es.",
  systems: {
    ios: "iPhone und iPad",
    android: "Android",
    desk: "Computer",
  },
  facts: {
    ios: [
      "Öffne strongroom auf dem Handy in Safari, drück auf + und wähle Fotos " +
      "aus. Live-Fotos kommen dann ohne ihr Video an.",
      "Auf dem Home-Bildschirm: Drück in Safari auf Teilen, dann auf Zum " +
      "Home-Bildschirm. Sonst kann Safari deinen Schlüssel löschen, wenn " +
      "du strongroom eine Woche lang nicht öffnest.",
      "Das Teilen-Menü von Fotos bietet keine Websites an.",
      "Automatisch: nur mit einer anderen App, siehe unten.",
    ],
    android: [
      "Öffne strongroom im Browser des Handys, drück auf + und wähle Fotos " +
      "aus. Wenn du nicht warten willst, drück auf „Ohne diese Seite " +
      "senden“: Chrome macht weiter, wenn du strongroom schließt.",
      "Zum Installieren öffne das Menü des Browsers und wähle App " +
      "installieren oder Zum Startbildschirm hinzufügen. Drück dann in einer " +
      "anderen App auf Teilen und wähle strongroom.",
      "Automatisch: nur mit einer anderen App, siehe unten.",
    ],
    desk: [
      "Zieh Fotos und Ordner irgendwo auf diese Seite.",
      "Automatisch: Die Kommandozeile lädt hoch, was in einem Ordner neu " +
      "ist.",
    ],
  },
  watch: "strongroom push --watch ORDNER",
  install: "strongroom installieren",
  installWhy: "Dann hat es ein eigenes Symbol und ein eigenes Fenster.",
  installAsk: "strongroom als App installieren?",
  installed: "strongroom ist hier installiert.",

  folder: "Aus diesem Ordner hinzufügen",
  folderWhy:
    "Wähl einmal einen Ordner dieses Geräts, etwa den der Kamera. Ab " +
    "dann genügt ein Druck, um hinzuzufügen, was sich darin seither geändert " +
    "hat. Solange strongroom zu ist, kann es nicht selbst hineinsehen.",
  folderChoose: "Ordner wählen",
  folderAdd: (name) => `Neues aus ${name} hinzufügen`,
  folderOther: "Anderer Ordner",
  folderForget: "Ordner vergessen",
  folderNew: (n) =>
    `${n === 1 ? "1 neue Datei" : `${files(n)}, die neu sind,`} gefunden.`,
  folderNone: "Nichts Neues gefunden.",
  folderDenied:
    "Der Browser lässt strongroom den Ordner nicht lesen. Wähl ihn " +
    "noch einmal.",

  set: "Fotos automatisch hochladen",
  setWhy: "Eine App auf dem Handy sendet neue Fotos an einen Computer, auf " +
    "dem strongroom für dich läuft: deinen Server oder einen kleinen zu " +
    "Hause. Er verschlüsselt jedes Foto beim Ankommen und kann keines öffnen.",
  makeFirst: "1. Mach einen Link für dein Handy",
  makeWhy: "Alles, was über diesen Link gesendet wird, kommt ohne Nachfrage " +
    "in deine Bibliothek. Behalte ihn für dich.",
  make: "Link machen",
  note: "Mein Handy",
  again: "Noch einen Link machen",
  giveFirst: "2. Gib ihn der Person, die den Computer betreibt",
  giveWhy:
    "Sie gibt den Link dort ein. Du bekommst eine Adresse, einen Namen " +
    "und ein Passwort für dein Handy, oft auch einen Code zum Scannen.",
  forRunner: "Für die Person, die den Computer betreibt",
  needs: "Er braucht strongroom und https und ist an, wenn das Handy sendet.",
  runWhy: "Starte das, mit einem Zertifikat für den Namen des Computers:",
  addWhy: "Füg dann in einem anderen Terminal das Handy hinzu:",
  enterFirst: "3. Gib das in einer App auf deinem Handy ein",
  enterWhy: "Wähl deine App, um zu sehen, was wohin gehört:",
  apps: [
    {
      name: "PhotoSync (iPhone, Android)",
      steps: [
        "Leg ein Ziel vom Typ WebDAV an.",
        "Gib die Adresse als Server ein, dann Name und Passwort.",
        "Lass Originale übertragen: HEIC, und Live-Fotos mit ihrem Video.",
        "Schalte die automatische Übertragung ein.",
        "Lass das Löschen nach der Übertragung aus.",
      ],
      tried: "Nicht auf einem Handy ausprobiert. Die App sendet über WebDAV; " +
        "das haben wir mit rclone, curl, cadaver, lftp, davfs2 und gvfs " +
        "ausprobiert.",
    },
    {
      name: "FolderSync (Android)",
      steps: [
        "Leg ein Konto vom Typ WebDAV mit Adresse, Name und Passwort an.",
        "Leg ein Ordnerpaar an: links den Ordner DCIM, rechts einen Ordner " +
        "des Kontos, Richtung nach rechts.",
        "Lass Löschungen aus.",
      ],
      tried: "Nicht auf einem Handy ausprobiert. Die App sendet über WebDAV " +
        "oder SFTP; das haben wir mit rclone, lftp und anderen ausprobiert.",
    },
    {
      name: "Round Sync (Android)",
      steps: [
        "Leg eine Gegenstelle vom Typ WebDAV mit Adresse, Name und Passwort " +
        "an. Wähl als Anbieter other.",
        "Leg eine Aufgabe an, die den Ordner DCIM dorthin kopiert. Wähl copy, " +
        "nicht sync oder move.",
      ],
      tried: "Nicht auf einem Handy ausprobiert. Die App ist rclone, und das " +
        "haben wir auf einem Computer ausprobiert: kopieren, wiederholen, " +
        "nach Abbrüchen weitermachen.",
    },
    {
      name: "Nextcloud (iPhone, Android)",
      steps: [
        "Gib die Adresse als Server ein.",
        "Melde dich auf der Seite, die sich öffnet, mit Name und Passwort an.",
        "Schalte das automatische Hochladen ein.",
      ],
      tried: "Nicht auf einem Handy ausprobiert. Ausprobiert haben wir die " +
        "Anfragen, die von der App bekannt sind. Sie zeigt Namen und kann " +
        "nicht öffnen, was sie gesendet hat.",
    },
    {
      name: "Synology Photos",
      steps: [
        "Die App lädt nur auf Synologys eigenen Server hoch. Nimm eine der " +
        "anderen.",
      ],
      tried: "Sie geht mit receive nicht.",
    },
  ],
  door: "Die Adresse, zum Scannen (freiwillig)",
  doorWhy:
    "Gib die Adresse ein, die du bekommen hast, und scanne den Code mit " +
    "dem Handy, statt sie dort zu tippen. Dieser Browser merkt sie sich.",
  afterFirst: "4. Öffne strongroom ab und zu",
  afterWhy: "Was dein Handy gesendet hat, wartet bis zu 30 Tage, dass eines " +
    "deiner Geräte es hinzufügt: strongroom in einem Browser, oder " +
    "strongroom sync mit einem Timer.",
  keeps: "strongroom löscht auf deinem Handy nichts. Schalte das Löschen " +
    "auch in der App aus: Eine empfangene Datei ist noch nicht " +
    "nachweislich in deiner Bibliothek.",
};
