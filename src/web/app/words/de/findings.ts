/**
 * What the doctor finds, in German. What it says comes from the server in
 * English; each sentence stands here with its places, `{1}`, `{2}`. One that is
 * not here is shown in English.
 */
export const findings: readonly (readonly [english: string, german: string])[] =
  [
    // The backup.
    [
      "this data directory was never backed up",
      "Dieses Datenverzeichnis wurde noch nie gesichert.",
    ],
    [
      "run strongroom backup DIR every night, preferably to another disk",
      "Lass jede Nacht strongroom backup DIR laufen, am besten auf eine andere " +
      "Platte.",
    ],
    [
      "the last one is less than a day old, in {1}, and found {2} damaged or " +
      "missing here",
      "Die letzte ist keinen Tag alt, in {1}, und fand hier {2} beschädigte " +
      "oder fehlende Dateien.",
    ],
    [
      "the last one is {1} days old, in {2}, and found {3} damaged or missing " +
      "here",
      "Die letzte ist {1} Tage alt, in {2}, und fand hier {3} beschädigte oder " +
      "fehlende Dateien.",
    ],
    [
      "strongroom check --deep lists them, with a fix for each",
      "strongroom check --deep nennt sie, und zu jeder, was hilft.",
    ],
    [
      "the last one is less than a day old, in {1}",
      "Die letzte ist keinen Tag alt, in {1}.",
    ],
    [
      "the last one is {1} days old, in {2}",
      "Die letzte ist {1} Tage alt, in {2}.",
    ],
    [
      "run strongroom backup again, and find out why its timer does not",
      "Lass strongroom backup wieder laufen, und finde heraus, warum sein " +
      "Timer es nicht tut.",
    ],
    // The disk.
    [
      "it is full: nothing can be written",
      "Sie ist voll: Es kann nichts geschrieben werden.",
    ],
    [
      "free some space; deleted items free theirs after STRONGROOM_TRASH_DAYS",
      "Schaff Platz; Gelöschtes gibt seinen nach STRONGROOM_TRASH_DAYS frei.",
    ],
    [
      "{1} free, {2} reserved: uploads are refused",
      "{1} frei, {2} zurückgehalten: Es wird nichts mehr angenommen.",
    ],
    [
      "free some space, or lower STRONGROOM_RESERVED_DISK_BYTES; deleted items " +
      "free their space after STRONGROOM_TRASH_DAYS",
      "Schaff Platz, oder senke STRONGROOM_RESERVED_DISK_BYTES; Gelöschtes gibt " +
      "seinen Platz nach STRONGROOM_TRASH_DAYS frei.",
    ],
    ["{1} free, {2} reserved", "{1} frei, {2} zurückgehalten."],
    [
      "free some space before uploads are refused",
      "Schaff Platz, bevor nichts mehr angenommen wird.",
    ],
    [
      "uploads/ and blobs/ are on two file systems",
      "uploads/ und blobs/ liegen auf zwei Dateisystemen.",
    ],
    [
      "mount the data directory as a whole, so that an upload can become a blob " +
      "by a hard link",
      "Häng das Datenverzeichnis als Ganzes ein, damit aus einem Upload durch " +
      "einen Hardlink ein Blob werden kann.",
    ],
    // The clock.
    [
      "{1} s ahead of {2}",
      "{1} s vor der Uhr von {2}.",
    ],
    ["{1} s behind {2}", "{1} s hinter der Uhr von {2}."],
    [
      "this clock says {1}, and the server last ran at {2}",
      "Diese Uhr sagt {1}, und der Server lief zuletzt um {2}.",
    ],
    [
      "this clock says {1}, and {2} is from {3}",
      "Diese Uhr sagt {1}, und etwas ist von {3}: {2}.",
    ],
    [
      "the clock was set back, or was ahead then. set this machine's clock and " +
      "keep it synchronized: `timedatectl set-ntp true`, or chrony",
      "Die Uhr wurde zurückgestellt oder ging damals vor. Stell sie, und halte " +
      "sie gleich: `timedatectl set-ntp true` oder chrony.",
    ],
    [
      "if the server was off for so long, do nothing: once it has run for a " +
      "day, it trusts this clock and deletes what is due. Otherwise set this " +
      "machine's clock and keep it synchronized: `timedatectl set-ntp true`, " +
      "or chrony",
      "War der Server so lange aus, tu nichts: Ist er einen Tag gelaufen, traut " +
      "er dieser Uhr und löscht, was fällig ist. Sonst stell die Uhr, und halte " +
      "sie gleich: `timedatectl set-ntp true` oder chrony.",
    ],
    [
      "set this machine's clock and keep it synchronized: `timedatectl set-ntp " +
      "true`, or chrony",
      "Stell die Uhr dieser Maschine, und halte sie gleich: `timedatectl " +
      "set-ntp true` oder chrony.",
    ],
    // Files that are read again.
    [
      "strongroom check --deep lists every blob that is still lost, with its fix",
      "strongroom check --deep nennt jeden Blob, der noch fehlt, und was hilft.",
    ],
    [
      "a server reads them only while it runs; to read all of them now, run " +
      "strongroom check --deep",
      "Ein Server liest sie nur, während er läuft; um alle jetzt zu lesen, " +
      "starte strongroom check --deep.",
    ],
    // The base URL.
    [
      "{1} cannot be reached from this machine ({2})",
      "{1} ist von dieser Maschine aus nicht zu erreichen ({2}).",
    ],
    [
      "open it from another network: if it opens there, only the router does " +
      "not lead its own network back, and nothing is wrong; otherwise let its " +
      "name point to this machine, and let the proxy or router forward to the " +
      "listen address",
      "Öffne sie aus einem anderen Netz: Geht es dort, führt nur der Router das " +
      "eigene Netz nicht zurück, und nichts ist falsch. Sonst lass ihren Namen " +
      "auf diese Maschine zeigen und den Proxy oder Router dorthin weiterleiten.",
    ],
    [
      "{1} redirects to {2} ({3})",
      "{1} leitet um auf {2} ({3}).",
    ],
    [
      "set STRONGROOM_BASE_URL to the redirect's target, or have the proxy " +
      "forward the request: clients do not follow redirects",
      "Setz STRONGROOM_BASE_URL auf das Ziel der Umleitung, oder lass den Proxy " +
      "die Anfrage weiterreichen: Programme folgen keiner Umleitung.",
    ],
    [
      "something else answers at {1} ({2}, and no server-info)",
      "Unter {1} antwortet etwas anderes ({2}).",
    ],
    [
      "forward every path of this origin to the server's listen address; or set " +
      "STRONGROOM_BASE_URL to the origin that leads there",
      "Leite jeden Pfad dieser Adresse an den Server weiter; oder setz " +
      "STRONGROOM_BASE_URL auf die Adresse, die zu ihm führt.",
    ],
    [
      "another strongroom answers at {1}: {2}",
      "Unter {1} antwortet ein anderes strongroom: {2}.",
    ],
    // Notices.
    [
      "{1} has taken nothing since {2}: {3}",
      "{1} hat seit {2} nichts angenommen: {3}.",
    ],
    [
      "correct STRONGROOM_NOTIFY or mend the target, then run strongroom notify " +
      "test",
      "Berichtige STRONGROOM_NOTIFY oder das Ziel, und starte dann strongroom " +
      "notify test.",
    ],
    ["{1} was never tried", "{1} wurde noch nie versucht."],
    [
      "strongroom notify test sends it a test",
      "strongroom notify test sendet eine Probe dorthin.",
    ],
    // The certificate.
    [
      "no certificate yet",
      "Es gibt noch kein Zertifikat.",
    ],
    // A proxy.
    [
      "requests with forwarding headers came from {1}, last seen at {2}, which " +
      "is not in STRONGROOM_TRUSTED_PROXIES",
      "Anfragen mit Kopfzeilen eines Proxys kamen von {1}, zuletzt {2}; diese " +
      "Adresse steht nicht in STRONGROOM_TRUSTED_PROXIES.",
    ],
    [
      "if that is your proxy, add it (STRONGROOM_TRUSTED_PROXIES={1}) and " +
      "restart the server, because otherwise all its clients share one limit; " +
      "if it is not, nothing is wrong",
      "Ist das dein Proxy, trag ihn ein (STRONGROOM_TRUSTED_PROXIES={1}), und " +
      "starte den Server neu, weil sich sonst alle seine Besucher eine Grenze " +
      "teilen. Ist er es nicht, ist nichts falsch.",
    ],
    // Permissions.
    [
      "{1} belongs to user {2}, but this runs as root",
      "{1} gehört Benutzer {2}, aber das hier läuft als root.",
    ],
    [
      "{1} belongs to user {2}, but this runs as user {3}",
      "{1} gehört Benutzer {2}, aber das hier läuft als Benutzer {3}.",
    ],
    [
      "{1} contains a secret and is open to others ({2})",
      "{1} enthält ein Geheimnis und steht anderen offen ({2}).",
    ],
    [
      "{1} contains a secret and is open to all ({2})",
      "{1} enthält ein Geheimnis und steht allen offen ({2}).",
    ],
    ["{1} is open to others ({2})", "{1} steht anderen offen ({2})."],
    ["{1} is open to all ({2})", "{1} steht allen offen ({2})."],
    // The database.
    [
      "is damaged: {1}",
      "Sie ist beschädigt: {1}.",
    ],
    [
      "its write-ahead log has {1}",
      "Ihr Schreibprotokoll hat {1}.",
    ],
    [
      "some program has had the database open for a long time: end it, then " +
      "restart the server",
      "Ein Programm hat die Datenbank schon lange offen: Beende es, und starte " +
      "dann den Server neu.",
    ],
  ];
