/**
 * What people call towns in the app's languages, where that is not what the
 * gazetteer calls them: the best known ones. Written by hand; no register under
 * a free licence was found that says which of a town's names is of which
 * language.
 *
 * @module
 */

// The name and the country in the gazetteer, then the names in languages that
// have another.
const TABLE = `
Munich DE|de=München|es=Múnich|it=Monaco di Baviera|nl=München|pl=Monachium|pt=Munique
Köln DE|en=Cologne|es=Colonia|fr=Cologne|it=Colonia|nl=Keulen|pl=Kolonia|pt=Colônia
Nürnberg DE|en=Nuremberg|es=Núremberg|fr=Nuremberg|it=Norimberga|nl=Neurenberg|pl=Norymberga|pt=Nuremberga
Hannover DE|en=Hanover|fr=Hanovre|pl=Hanower|pt=Hanôver
Braunschweig DE|en=Brunswick|es=Brunswick|fr=Brunswick|pl=Brunszwik|pt=Brunsvique
Aachen DE|es=Aquisgrán|fr=Aix-la-Chapelle|it=Aquisgrana|nl=Aken|pl=Akwizgran
Trier DE|es=Tréveris|fr=Trèves|it=Treviri|pl=Trewir|pt=Tréveris
Mainz DE|es=Maguncia|fr=Mayence|it=Magonza|pl=Moguncja|pt=Mogúncia
Regensburg DE|es=Ratisbona|fr=Ratisbonne|it=Ratisbona|pl=Ratyzbona|pt=Ratisbona
Dresden DE|es=Dresde|fr=Dresde|it=Dresda|pl=Drezno
Leipzig DE|it=Lipsia|pl=Lipsk
Berlin DE|es=Berlín|it=Berlino|nl=Berlijn|pt=Berlim
Hamburg DE|es=Hamburgo|fr=Hambourg|it=Amburgo|pt=Hamburgo
Bremen DE|fr=Brême|it=Brema|pl=Brema
Frankfurt am Main DE|en=Frankfurt|es=Fráncfort del Meno|fr=Francfort-sur-le-Main|it=Francoforte sul Meno|pl=Frankfurt nad Menem
Freiburg DE|es=Friburgo|fr=Fribourg-en-Brisgau|it=Friburgo|pl=Fryburg Bryzgowijski|pt=Friburgo
Konstanz DE|es=Constanza|fr=Constance|it=Costanza|pl=Konstancja
Lübeck DE|it=Lubecca|pl=Lubeka
Göttingen DE|fr=Gœttingue|it=Gottinga|pl=Getynga|pt=Gotinga
Stuttgart DE|it=Stoccarda
Würzburg DE|fr=Wurtzbourg
Koblenz DE|es=Coblenza|fr=Coblence|it=Coblenza|pl=Koblencja
Vienna AT|de=Wien|es=Viena|fr=Vienne|nl=Wenen|pl=Wiedeń|pt=Viena
Salzburg AT|es=Salzburgo|fr=Salzbourg|it=Salisburgo|pt=Salzburgo
Zürich CH|en=Zurich|es=Zúrich|fr=Zurich|it=Zurigo|pl=Zurych|pt=Zurique
Bern CH|es=Berna|fr=Berne|it=Berna|pl=Berno|pt=Berna
Basel CH|es=Basilea|fr=Bâle|it=Basilea|nl=Bazel|pl=Bazylea|pt=Basileia
Genève CH|en=Geneva|de=Genf|es=Ginebra|it=Ginevra|pl=Genewa|pt=Genebra
Lausanne CH|es=Lausana|it=Losanna|pl=Lozanna|pt=Lausana
Luzern CH|en=Lucerne|es=Lucerna|fr=Lucerne|it=Lucerna|pl=Lucerna|pt=Lucerna
Neuchâtel CH|de=Neuenburg
Fribourg CH|de=Freiburg|es=Friburgo|it=Friburgo|pl=Fryburg|pt=Friburgo
Chur CH|fr=Coire|it=Coira
Paris FR|es=París|it=Parigi|nl=Parijs|pl=Paryż
Lyon FR|it=Lione
Marseille FR|es=Marsella|it=Marsiglia|pl=Marsylia|pt=Marselha
Nice FR|de=Nizza|es=Niza|it=Nizza|pl=Nicea
Strasbourg FR|de=Straßburg|es=Estrasburgo|it=Strasburgo|nl=Straatsburg|pl=Strasburg|pt=Estrasburgo
Lille FR|it=Lilla|nl=Rijsel
Dunkerque FR|en=Dunkirk|de=Dünkirchen|nl=Duinkerke|pl=Dunkierka
Mulhouse FR|de=Mülhausen|pl=Miluza
Bordeaux FR|es=Burdeos|pt=Bordéus
Toulouse FR|es=Tolosa|it=Tolosa|pl=Tuluza
Perpignan FR|es=Perpiñán|it=Perpignano
Avignon FR|es=Aviñón|it=Avignone|pl=Awinion|pt=Avinhão
Brussels BE|de=Brüssel|es=Bruselas|fr=Bruxelles|it=Bruxelles|nl=Brussel|pl=Bruksela|pt=Bruxelas
Antwerpen BE|en=Antwerp|es=Amberes|fr=Anvers|it=Anversa|pl=Antwerpia|pt=Antuérpia
Gent BE|en=Ghent|es=Gante|fr=Gand|it=Gand|pl=Gandawa|pt=Gante
Brugge BE|en=Bruges|es=Brujas|fr=Bruges|it=Bruges|pl=Brugia|pt=Bruges
Liège BE|de=Lüttich|es=Lieja|it=Liegi|nl=Luik
Leuven BE|de=Löwen|es=Lovaina|fr=Louvain|it=Lovanio|pl=Lowanium|pt=Lovaina
Mechelen BE|de=Mecheln|es=Malinas|fr=Malines|it=Malines|pt=Malinas
Namur BE|nl=Namen
Mons BE|nl=Bergen
Ostend BE|de=Ostende|es=Ostende|fr=Ostende|it=Ostenda|nl=Oostende|pl=Ostenda|pt=Ostende
Kortrijk BE|es=Cortrique|fr=Courtrai
Ieper BE|en=Ypres|de=Ypern|es=Ypres|fr=Ypres|it=Ypres|pl=Ypres|pt=Ypres
Luxembourg LU|de=Luxemburg|es=Luxemburgo|it=Lussemburgo|nl=Luxemburg|pl=Luksemburg|pt=Luxemburgo
Amsterdam NL|es=Ámsterdam|pt=Amesterdão
The Hague NL|de=Den Haag|es=La Haya|fr=La Haye|it=L’Aia|nl=Den Haag|pl=Haga|pt=Haia
Rotterdam NL|es=Róterdam|pt=Roterdão
Groningen NL|es=Groninga|fr=Groningue|pl=Groninga
Nijmegen NL|de=Nimwegen|es=Nimega|fr=Nimègue|it=Nimega|pt=Nimega
Leiden NL|fr=Leyde|it=Leida|pl=Lejda
London GB|es=Londres|fr=Londres|it=Londra|nl=Londen|pl=Londyn|pt=Londres
Edinburgh GB|es=Edimburgo|fr=Édimbourg|it=Edimburgo|pl=Edynburg|pt=Edimburgo
Dublin IE|es=Dublín|it=Dublino|pt=Dublim
Copenhagen DK|de=Kopenhagen|es=Copenhague|fr=Copenhague|nl=Kopenhagen|pl=Kopenhaga|pt=Copenhaga
Göteborg SE|en=Gothenburg|es=Gotemburgo|pt=Gotemburgo
Stockholm SE|es=Estocolmo|it=Stoccolma|pl=Sztokholm|pt=Estocolmo
Helsinki FI|pt=Helsínquia
Reykjavík IS|de=Reykjavik|es=Reikiavik|fr=Reykjavik|nl=Reykjavik|pl=Reykjavik|pt=Reiquiavique
Warsaw PL|de=Warschau|es=Varsovia|fr=Varsovie|it=Varsavia|nl=Warschau|pl=Warszawa|pt=Varsóvia
Kraków PL|en=Krakow|de=Krakau|es=Cracovia|fr=Cracovie|it=Cracovia|nl=Krakau|pt=Cracóvia
Gdańsk PL|en=Gdansk|de=Danzig|fr=Gdansk|it=Danzica|pt=Gdansk
Wrocław PL|en=Wroclaw|de=Breslau|es=Breslavia|fr=Wroclaw|it=Breslavia|pt=Breslávia
Poznań PL|en=Poznan|de=Posen|fr=Poznan
Szczecin PL|de=Stettin|it=Stettino
Łódź PL|en=Lodz|de=Lodz
Toruń PL|en=Torun|de=Thorn
Katowice PL|de=Kattowitz
Prague CZ|de=Prag|es=Praga|it=Praga|nl=Praag|pl=Praga|pt=Praga
Brno CZ|de=Brünn
Pilsen CZ|pl=Pilzno
Karlovy Vary CZ|de=Karlsbad|pl=Karlowe Wary
Český Krumlov CZ|de=Krumau
Bratislava SK|de=Pressburg|pl=Bratysława
Košice SK|de=Kaschau|pl=Koszyce
Budapest HU|pl=Budapeszt|pt=Budapeste
Sopron HU|de=Ödenburg
Belgrade RS|de=Belgrad|es=Belgrado|it=Belgrado|nl=Belgrado|pl=Belgrad|pt=Belgrado
Zagreb HR|it=Zagabria|pl=Zagrzeb
Ljubljana SI|de=Laibach|es=Liubliana|it=Lubiana|pl=Lublana|pt=Liubliana
Maribor SI|de=Marburg
Koper SI|it=Capodistria
Rijeka HR|it=Fiume
Split HR|it=Spalato
Zadar HR|it=Zara
Pula HR|it=Pola
Rovinj HR|it=Rovigno
Poreč HR|it=Parenzo
Skopje MK|es=Skopie
Sofia BG|es=Sofía|pt=Sófia
Bucharest RO|de=Bukarest|es=Bucarest|fr=Bucarest|it=Bucarest|nl=Boekarest|pl=Bukareszt|pt=Bucareste
Timişoara RO|de=Temeswar
Sibiu RO|de=Hermannstadt|pl=Sybin
Braşov RO|de=Kronstadt|pl=Braszów
Cluj-Napoca RO|de=Klausenburg|pl=Kluż-Napoka
Constanţa RO|it=Costanza
Athens GR|de=Athen|es=Atenas|fr=Athènes|it=Atene|nl=Athene|pl=Ateny|pt=Atenas
Thessaloníki GR|en=Thessaloniki|de=Thessaloniki|es=Tesalónica|fr=Thessalonique|it=Salonicco|nl=Thessaloniki|pl=Saloniki|pt=Salónica
Corfu GR|de=Korfu|es=Corfú|fr=Corfou|it=Corfù|nl=Korfoe|pl=Korfu
Ródos GR|en=Rhodes|de=Rhodos|es=Rodas|fr=Rhodes|it=Rodi|nl=Rhodos|pl=Rodos|pt=Rodes
Istanbul TR|es=Estambul|nl=Istanboel|pl=Stambuł|pt=Istambul
Ankara TR|pt=Ancara
İzmir TR|en=Izmir|de=Izmir|es=Esmirna|fr=Izmir|it=Smirne|nl=Izmir|pl=Izmir|pt=Esmirna
Nicosia CY|de=Nikosia|fr=Nicosie|pl=Nikozja|pt=Nicósia
Moscow RU|de=Moskau|es=Moscú|fr=Moscou|it=Mosca|nl=Moskou|pl=Moskwa|pt=Moscovo
Saint Petersburg RU|en=St Petersburg|de=Sankt Petersburg|es=San Petersburgo|fr=Saint-Pétersbourg|it=San Pietroburgo|nl=Sint-Petersburg|pl=Petersburg|pt=São Petersburgo
Kyiv UA|de=Kiew|es=Kiev|fr=Kiev|it=Kiev|nl=Kiev|pl=Kijów|pt=Kiev
Lviv UA|de=Lemberg|es=Leópolis|it=Leopoli|pl=Lwów
Odessa UA|en=Odesa|nl=Odesa
Kharkiv UA|de=Charkiw|es=Járkov|nl=Charkov|pl=Charków
Minsk BY|pl=Mińsk
Vilnius LT|de=Wilna|pl=Wilno|pt=Vílnius
Kaunas LT|pl=Kowno
Klaipėda LT|en=Klaipeda|de=Memel|pl=Kłajpeda
Riga LV|pl=Ryga
Tallinn EE|pl=Tallin
Chisinau MD|pl=Kiszyniów
Lisbon PT|de=Lissabon|es=Lisboa|fr=Lisbonne|it=Lisbona|nl=Lissabon|pl=Lizbona|pt=Lisboa
Porto PT|es=Oporto|it=Oporto
Madrid ES|pl=Madryt
Barcelona ES|fr=Barcelone|it=Barcellona
Sevilla ES|en=Seville|fr=Séville|it=Siviglia|pl=Sewilla|pt=Sevilha
Zaragoza ES|fr=Saragosse|it=Saragozza|pl=Saragossa|pt=Saragoça
Valencia ES|fr=Valence|pl=Walencja|pt=Valência
Córdoba ES|en=Cordoba|fr=Cordoue|it=Cordova|pt=Córdova
Granada ES|fr=Grenade|pl=Grenada
Cadiz ES|de=Cádiz|es=Cádiz|fr=Cadix|it=Cadice|nl=Cádiz|pl=Kadyks|pt=Cádis
Donostia / San Sebastián ES|en=San Sebastián|de=San Sebastián|es=San Sebastián|fr=Saint-Sébastien|it=San Sebastián|nl=San Sebastián|pl=San Sebastián|pt=San Sebastián
Pamplona ES|fr=Pampelune
Girona ES|es=Gerona|fr=Gérone
A Coruña ES|es=La Coruña|fr=La Corogne|it=La Coruña|pt=Corunha
Rome IT|de=Rom|es=Roma|it=Roma|pl=Rzym|pt=Roma
Milan IT|de=Mailand|es=Milán|it=Milano|nl=Milaan|pl=Mediolan|pt=Milão
Venice IT|de=Venedig|es=Venecia|fr=Venise|it=Venezia|nl=Venetië|pl=Wenecja|pt=Veneza
Florence IT|de=Florenz|es=Florencia|it=Firenze|pl=Florencja|pt=Florença
Naples IT|de=Neapel|es=Nápoles|it=Napoli|nl=Napels|pl=Neapol|pt=Nápoles
Turin IT|es=Turín|it=Torino|nl=Turijn|pl=Turyn|pt=Turim
Genoa IT|de=Genua|es=Génova|fr=Gênes|it=Genova|nl=Genua|pl=Genua|pt=Génova
Bologna IT|es=Bolonia|fr=Bologne|pl=Bolonia|pt=Bolonha
Padova IT|en=Padua|de=Padua|es=Padua|fr=Padoue|nl=Padua|pl=Padwa|pt=Pádua
Mantova IT|en=Mantua|de=Mantua|es=Mantua|fr=Mantoue|nl=Mantua|pl=Mantua|pt=Mântua
Verona IT|fr=Vérone|pl=Werona
Trieste IT|de=Triest|pl=Triest
Trento IT|de=Trient|fr=Trente|nl=Trente|pl=Trydent
Bolzano IT|de=Bozen
Merano IT|de=Meran
Bressanone IT|de=Brixen
Brunico IT|de=Bruneck
Livorno IT|fr=Livourne
Siena IT|fr=Sienne
Pisa IT|fr=Pise|pl=Piza
Ravenna IT|es=Rávena|fr=Ravenne|pl=Rawenna
Perugia IT|fr=Pérouse
Palermo IT|fr=Palerme
Catania IT|fr=Catane|pl=Katania
Siracusa IT|en=Syracuse|de=Syrakus|fr=Syracuse|nl=Syracuse|pl=Syrakuzy
Aosta IT|fr=Aoste
Gorizia IT|de=Görz
Valletta MT|es=La Valeta|fr=La Valette|it=La Valletta
Monaco MC|es=Mónaco|pl=Monako|pt=Mónaco
Cairo EG|de=Kairo|es=El Cairo|fr=Le Caire|it=Il Cairo|nl=Caïro|pl=Kair
Alexandria EG|es=Alejandría|fr=Alexandrie|it=Alessandria d’Egitto|nl=Alexandrië|pl=Aleksandria
Marrakesh MA|de=Marrakesch|es=Marrakech|fr=Marrakech|it=Marrakech|nl=Marrakech|pl=Marrakesz|pt=Marraquexe
Fès MA|en=Fez|es=Fez|it=Fez|nl=Fez|pl=Fez|pt=Fez
Tangier MA|de=Tanger|es=Tánger|fr=Tanger|it=Tangeri|nl=Tanger|pl=Tanger|pt=Tânger
Algiers DZ|de=Algier|es=Argel|fr=Alger|it=Algeri|pl=Algier|pt=Argel
Tunis TN|es=Túnez|it=Tunisi|pt=Túnis
Jerusalem IL|es=Jerusalén|fr=Jérusalem|it=Gerusalemme|nl=Jeruzalem|pl=Jerozolima|pt=Jerusalém
Beirut LB|fr=Beyrouth|nl=Beiroet|pl=Bejrut|pt=Beirute
Damascus SY|de=Damaskus|es=Damasco|fr=Damas|it=Damasco|pl=Damaszek|pt=Damasco
Baghdad IQ|de=Bagdad|es=Bagdad|fr=Bagdad|nl=Bagdad|pl=Bagdad|pt=Bagdade
Tehran IR|de=Teheran|es=Teherán|fr=Téhéran|it=Teheran|nl=Teheran|pl=Teheran|pt=Teerão
Mecca SA|de=Mekka|es=La Meca|fr=La Mecque|it=La Mecca|nl=Mekka|pl=Mekka|pt=Meca
Dubai AE|es=Dubái|fr=Dubaï|pl=Dubaj
Mumbai IN|es=Bombay|fr=Bombay|pl=Mumbaj|pt=Bombaim
Delhi IN|pt=Deli
Beijing CN|de=Peking|es=Pekín|fr=Pékin|it=Pechino|nl=Peking|pl=Pekin|pt=Pequim
Shanghai CN|de=Schanghai|es=Shanghái|pl=Szanghaj|pt=Xangai
Hong Kong HK|de=Hongkong|nl=Hongkong|pl=Hongkong
Taipei TW|de=Taipeh|pl=Tajpej|pt=Taipé
Tokyo JP|de=Tokio|es=Tokio|nl=Tokio|pl=Tokio|pt=Tóquio
Kyoto JP|es=Kioto|pl=Kioto|pt=Quioto
Seoul KR|es=Seúl|fr=Séoul|it=Seul|pl=Seul|pt=Seul
Singapore SG|de=Singapur|es=Singapur|fr=Singapour|pl=Singapur|pt=Singapura
Hanoi VN|fr=Hanoï|pt=Hanói
Ho Chi Minh City VN|de=Ho-Chi-Minh-Stadt|es=Ciudad Ho Chi Minh|fr=Hô Chi Minh-Ville|it=Ho Chi Minh|nl=Ho Chi Minhstad|pl=Ho Chi Minh|pt=Cidade de Ho Chi Minh
Jakarta ID|es=Yakarta|it=Giacarta|pl=Dżakarta|pt=Jacarta
Manila PH|fr=Manille
New York City US|en=New York|de=New York|es=Nueva York|fr=New York|it=New York|nl=New York|pl=Nowy Jork|pt=Nova Iorque
Philadelphia US|es=Filadelfia|fr=Philadelphie|it=Filadelfia|pl=Filadelfia|pt=Filadélfia
New Orleans US|es=Nueva Orleans|fr=La Nouvelle-Orléans|pl=Nowy Orlean|pt=Nova Orleães
Mexico City MX|de=Mexiko-Stadt|es=Ciudad de México|fr=Mexico|it=Città del Messico|nl=Mexico-Stad|pl=Meksyk|pt=Cidade do México
Havana CU|de=Havanna|es=La Habana|fr=La Havane|it=L’Avana|pl=Hawana
Guatemala City GT|de=Guatemala-Stadt|es=Ciudad de Guatemala|fr=Guatemala|it=Città del Guatemala|nl=Guatemala-Stad|pl=Gwatemala|pt=Cidade da Guatemala
Cape Town ZA|de=Kapstadt|es=Ciudad del Cabo|fr=Le Cap|it=Città del Capo|nl=Kaapstad|pl=Kapsztad|pt=Cidade do Cabo
Addis Ababa ET|de=Addis Abeba|es=Adís Abeba|fr=Addis-Abeba|it=Addis Abeba|nl=Addis Abeba|pl=Addis Abeba|pt=Adis Abeba
Tbilisi GE|de=Tiflis|es=Tiflis|fr=Tbilissi
Yerevan AM|de=Jerewan|es=Ereván|fr=Erevan|it=Erevan|nl=Jerevan|pl=Erywań|pt=Erevan
Tashkent UZ|de=Taschkent|es=Taskent|fr=Tachkent|nl=Tasjkent|pl=Taszkent
Samarkand UZ|fr=Samarcande|it=Samarcanda|pl=Samarkanda|pt=Samarcanda
`;

/** A town, as the gazetteer has it. */
interface Called {
  readonly name: string;
  readonly country: string;
}

/** Names by the first two letters of a language, of towns as `Cologne DE`. */
export const TOWN_NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> =
  new Map(
    TABLE.trim().split("\n").map((line) => {
      const [key = "", ...names] = line.split("|");
      const named = names.map((one) =>
        [one.slice(0, 2), one.slice(3)] as const
      );
      return [key, new Map(named)] as const;
    }),
  );

/** All names of a town other than the gazetteer's. */
export function otherNames({ name, country }: Called): readonly string[] {
  return [...new Set(TOWN_NAMES.get(`${name} ${country}`)?.values())];
}

/** What a town is called in a language (BCP 47). */
export function townName({ name, country }: Called, language: string): string {
  const [tag = ""] = language.split("-");
  return TOWN_NAMES.get(`${name} ${country}`)?.get(tag) ?? name;
}
