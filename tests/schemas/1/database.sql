CREATE TABLE server (
  singleton              integer primary key check (singleton = 1),
  -- Changes when a backup is restored: feed positions start anew.
  feed_epoch             text not null,
  -- Federated reports ever taken, those about accounts that are not here
  -- included: taking one costs the same.
  reports_accepted       integer not null default 0,
  -- Grows when a key ring was rotated or put in place: a server that runs
  -- reads its key files again.
  key_generation         integer not null default 0,
  -- Receipts get numbers above this one: a restored server leaves a gap, so
  -- that no receipt of its own has the number of one that was lost.
  receipt_seq_floor      integer not null default 0,
  -- Ids of the first key of either ring, which stays in its file for good:
  -- another server's file is known by them.
  access_key_id          text,
  attestation_key_id     text,
  -- What the server goes by when it deletes: commands follow that, whatever
  -- their own environment says.
  trash_ms               integer,
  upload_ttl_ms          integer,
  session_inactivity_ms  integer,
  reserved_disk_bytes    integer,
  -- The last instant at which the server ran and believed its clock; and while
  -- it does not, the instant last seen and for how long it has run so.
  clock_known_at         integer,
  clock_doubted_at       integer,
  clock_doubted_ms       integer,
  -- The bucket that blobs may lie in; null: the directory has all.
  blob_bucket            text,
  -- Where the server that was started last places them: directory or s3.
  blob_place             text,
  -- The first key of the logs' ring; null until there is one.
  log_key_id             text,
  -- Of the web app that the keys log named last: SHA-256 of its manifest.
  log_app_hash           text
) strict;
insert into server values(1,'68cd2dcbfd96355ce1e00415c1581027',0,0,0,'67e2802f9f52cdefa8eaec004c20b51b825aa6d3179f299bdc0c32f4ec703f0b','5b37de1ca622ef8413c9a8f2b06fe8281e6dbbb9126c022845f97a2642f4f1a8',2592000000,86400000,15552000000,536870912,1795539905994,NULL,NULL,NULL,NULL,'d119eb2c0ddce0e9283fe91b7ad8f02c356ead48b12d1147ac0079f98e85b94d','da4b49fc347a44b30e47e6760c0b94fe6dac03337af03375f0374256ad69db18');
CREATE TABLE server_name (
  name_seq   integer primary key autoincrement,
  server_id  text not null,
  began_at   integer not null,
  ended_at   integer
) strict;
insert into server_name values(1,'http://127.0.0.1:17598',1795539780614,NULL);
CREATE TABLE deprecation (
  announcement_seq      integer primary key autoincrement,
  min_protocol_version  text not null unique,
  announced_at          integer not null,
  cutoff                integer not null,
  detail_url            text
) strict;
CREATE TABLE account (
  user_id            text primary key,
  address            text unique,
  display_name       text,
  created_at         integer not null,
  password_hash      text,
  suspended_at       integer,
  -- The first identity key ever presented; it is never replaced.
  identity_key       blob,
  directory_version  integer,
  -- The operator is deleting it since then: nobody signs in to it any more.
  deleting_at        integer,
  -- Its owner deleted it then: the server goes on with that by itself.
  departed_at        integer,
  -- When the operator last let the password be replaced: its owner is told.
  password_reset_at  integer,
  -- Since when it has the operator's page; null: it has not.
  operator_since     integer
) strict, without rowid;
insert into account values('651c62b3-fbe0-41e2-86a5-815962706a4e','demo-rnlq3ub4@example.org',NULL,1795539781184,'$argon2id$v=19$m=19456,t=2,p=1$41T/TWnZ0nsNheBrNz6m/Q$7NXOfmoKdiAD0rE3+v6a3ooczCuzuHlLZb2wJKzC/rI',NULL,X'4C88EB12AAB55EC481A910F44A202601A49C55FB5BC025C60DA14AEB73AB52089138429A0F32D5A35E3908F04C8D907D71B2B46DCCB1B58E1AD5F24E9C8FCA1B26D1836C020EA028A5A088389E8D1E563D26487E2485EB8963D9D244480AA102AD705E8FD364428985B35FC8628FF1F5FC4305B36A72755A5E022B01F5F2A78D4D1AA3A0F163F51E2E214F40EFEE3784FCEE144B905FEF193390289523F42D137CB303EE77247E6E7AB77C2AD9267D4792A753AA2A16EAF5B48E90A44C6981A96DC597F14005E2ADCC15A367CB42A9645CC2ACDCCDC86F023C51CB4A298416F374C8228C74B3E09D29B389094571E6338894172582B93E94DF1CDC00C8C83EAC682AA1D0F0C4615A508173A811A1CFBE5CDC1297ADD05AA69734BDC04068223CD777F9AD0C90D676C344ACFF5D9ACDD6944AB2E21A20BF712CE97FA8C26DFBA1357E5596ABEDAA56A3911393A1015E41B8E4DA79BBA8FC1387F917F3D51CF3425383058451977386E2D56F018F6825AE1152B43E6CD719E9E83405114FE5DAE4BFA56E94B5A4FE454CD19016635CD35C6DED7EB7F328736494BE8B733A211130C120D1FF22105B656269CC27C979B633E9E03AB79CD9062239C8869AE39AA81D2BECB813BC53F15D4D89B245D42D872B404A9A06E53F06183440B28F4348F3C531C1E74A73F0D75A179EB0FADF6BB55E44BBFE1974168F3EA2F414A841AC59C460C892485CBC0EF8C2FEB12EA848A014E6A562C6B18DD6C650C06824D486925329A0FC0BEC755BB1B25B3355B5FD0D0EAA20DFDF04E445417CB7BCAE5B490577B1A2D05CBE3D40133C9EBD60F00BD754F710BCF0F3A738BCA0B7686A232B22B208497E4C8560E37B45EEB9B22F44F5DEA42238825FEECF351D503117D18106DAD72CBD34669300D9D199CF6B37D538FD317EBACDBE6E493AA326DB97CD9B0FFC8C26CDC79D0FB50B7D7EC22266FAB5CD1BEE73E5F5CF6222B014D916072993BF6D832C44348C2D4A5CB1AC1736C6AC4D7E9C816EE1D0411A0B7DDB2EA81B96C8A21F0C5E3F351AF3AD9AC06D77B977E125A0A378A3781C3D8AF9351F95808B98BA336C0222875781623924201194AB52B377A02EE28D9DDDDC77D82EEC928B0FC92A87B348CBEAB18A6D12A7E53E535F4F48421CA86CEBA5F06FD7F3F616433D5156015463486A36F8B06C9C97CB701DB24BED5619F9EA847D76A31884EAFA4206870A5C8FF2FC085E00798770871D511E75ADED907050D5A28689A5636EC3B90C5A5F783BCA80C22141ABA094358B79F3BF824586708669CF5D3FE2578FA2E3AAF336AD98D357A3D1601586F9B06CE2CC51548D9E0B9C44CB983AD729E20C90BDDCF4940FD7D2104522C6A4C77F7622C9C417518FD50CF6D7DDCB89ADEA097B5C7ABB2045391474DDA74BC6845C50BF8F5191D0E2403784E77B7EA815D035198ABE961BA4C8038D5EEE7150F7A5ED2BD1245C692578FCB59EFBBE1C7B1BDA0A66D3DA8F9E32D0BAF5948043B0A5701CB4F9A8783F3F856D148B380D06E3D47A6FE3ADBB747ADBE5640C31427CED33E085930F74FD63880C3B3D70193E742FC055C007A876E13D945931D33E8D99B8A5991F9AA7A383020C456A8D3544846E9B13FF58F896F01D0EE4EB33420F3ACCE82708AA600E54A6D45F8940441514BC0CBA4688306A4B2B2F6A2FFBE9D2747B58D51CABC19CCFBF75836A0A7B9B7A39F1C0CDE2773B8D5D4720E238DCD460260446A1547402D187C83F817F54D3E8432254D8105F16CA7201B45434B92F07B20AD150EBA54145938BF9EF72C33740FAB350613A4ECB6A5BB91AB14FAB038F84E9491238209EB93F222958445651DAF00F6250998CF38B2DB4CC86CEF487F366D6199A78A46945A0643889C87B5B7B1C753E391AFE2518A6ECC3F4F2C83C62C04D0C756620375B5CF241A9C3C14AB7BE8B330A497D87B9612E759572F7443E29F565A2C51490FD820F6FFF31CE10B15617FB55E77F060ABE7E711979FA111EBAD21D99049CFEA48B705CAF391452F80E591DC5E213BF887DA425EA6E52142EE72611A1599988B931E5C3488C01B644C820898A2A2C31CC2AFA9F01481D1FD3B0A9F940B8AE29AA66D50F7F9061A8C83861695EE724ADF071441016D586EFAAB99A7DACB42FB00470CB839FB30BA75F6D6937913B877DDEFD4FC466A889B6D815EEB39C7C7C384F7290C1D3702E2EBD7B7A0C1F1E9FEDFFF17B0E4183DDFE8C6669CEB61BB1881EF917DAB8AEF0BB92A1F4AABBB9F1A10623BD3B2603C9854AF54D3E49F206BED775A3F9DAFF3AC5ED099155257F8D60570B51F914ED50396B4E6757D2DFBA1F275A62F879A333A041EDA63E91C8E1763A7A1B4670FEF56F2ECDDDE5DED10C454AAA4E3479CC9BFEC11D070E307FFDBD2943369B733378C681A55F04907F22661BD17317B6A158594BC5690E25B87F39FCDC41885C0C212015DB0C911672F0E230E8D17F46B7BB40332C573999C675FC594AA98B28D03254CB35B7215EB2C2FF527EA9C8880FF39A4ADBD2011F4C8A66DA9A33F25BFBB8B93B80E813C1E97AF99729FA6FFEB92FA3DD8DF21DF0B9FAD0B8C38202A1915A1846C85DC2255DCCE215969DD09CAA91D64152B17E572CA04E94CAF38A95140C96CA60648F282898F2FEBAF98A77300A0631A59158D4F7CA28F039FDAB06FE2EF7B51534A3157B8B4E9E6E06B76901FEB9A7C087B1FF5532FBA32A4EB12962C60E4D727160691447ACB30E4B914A4E0733461D154ECB83EEEB711D0660B9935216557908159F825B45C4C009F398BA503E277263',1,NULL,NULL,NULL,NULL);
CREATE INDEX account_departed on account (departed_at)
  where departed_at is not null;
CREATE TABLE usage (
  user_id         text primary key references account on delete cascade,
  used_bytes      integer not null default 0 check (used_bytes >= 0),
  reserved_bytes  integer not null default 0 check (reserved_bytes >= 0),
  trash_bytes     integer not null default 0 check (trash_bytes >= 0),
  open_uploads    integer not null default 0 check (open_uploads >= 0),
  -- Assets that are not in the trash.
  live_assets     integer not null default 0 check (live_assets >= 0),
  -- Blobs in their roles: rows of holding.
  held_blobs      integer not null default 0 check (held_blobs >= 0),
  -- Those of them that are not applied. Triggers keep it.
  pending_blobs   integer not null default 0 check (pending_blobs >= 0),
  -- Null: the configured quota.
  quota_bytes     integer
) strict, without rowid;
insert into usage values('651c62b3-fbe0-41e2-86a5-815962706a4e',13791,0,0,0,3,9,0,NULL);
CREATE TABLE oidc_identity (
  issuer   text not null,
  subject  text not null,
  user_id  text not null references account on delete cascade,
  primary key (issuer, subject)
) strict, without rowid;
CREATE INDEX oidc_identity_by_account on oidc_identity (user_id);
CREATE TABLE public_record (
  user_id  text primary key references account on delete cascade,
  handle   text not null unique
) strict, without rowid;
CREATE TABLE directory (
  user_id       text primary key references account on delete cascade,
  version       integer not null,
  body          blob not null,
  body_hash     text not null,
  published_at  integer not null
) strict;
insert into directory values('651c62b3-fbe0-41e2-86a5-815962706a4e',1,X'A2677061796C6F616459059FA56474797065781B736572766963652D6465766963652D6469726563746F72792F7631676465766963657381A4646E616D656464656D6F6861646465645F61747818323032362D31312D32345431373A30333A30312E3231345A68706C6174666F726D656C696E7578696465766963655F6964782430333737653035342D376430312D343362652D626438312D623431666132656437663361697369676E65645F61747818323032362D31312D32345431373A30333A30312E3231345A6B7365616C696E675F6B65795904C0572A19DE637D45C65C09B6B0C7A30642891C0ACC462D729DAFE0A6E5C43245150F64ECC23D59CA3BF64793DC23777C36E66388065C96C8B46B407B535655C3CED81B44F0A0160613C8385039D120BA0C5CBE7016F5C18D08E9C1BB4B5E58D5423113C062647B71F0AB16D62EF5BAACAF19824F542AF0CCC8A0706D2D5AA31109B8AAAC38DC890E920309590C84D5FC3D00FB359C3CB29686784AB0A93BB3A1966CC23D634698A622176A534CA81711F206769C7D4775B98E79A3433C4E66EB5DCAD0A3616721E345A234EB7BD7D7C882F565038CBD2AEA5647FC2548165EF852B624D474FC489C78B4A8FD307295E9068148168B1870D5250970B59B8792C18060696B22815DEC11C5C63E23D01F2DB8478A41502A08A085049D6874ADE7D57F8C974019A01E64302D6240ADE3A6C224D6916AC05D8EE921C5EA67B8214AD847C4A9F15A0768610543429F893BC23C1E5E761E14D3B7CE053D4B753BE2C73DD11C060C333CBD0CB729F597C95A4E6E73C65083AA47C452F6B3937CFBCC1AB5092326123417B1D17BB1DA8A87218289CBA4B4E50B91B4B6C97FD80618E385AE481705457DECFB397D55A84F3326F7168300D0CF3274A04E4982A2C0138E2A209C097239376FF83288E6E3C1796A71CB98AE11993707371651CA64CE599748133DD56949661A6337F91578993B3416A600C3B93E90B19C460FFDA28B1323925AFA3314C7C89D7295168067E79458009565E8C0392A3088A7B3C02539B4013A7215E1C132B40343E46EB992750D683D3F4A71E4E5767CD57630F2C8A1BAC1AB290CFCB70A8496B6DF6115AD67BF316AA619D8C7B7D90E7FE11FF17650D1F55446E002D0117AA6B73113CA1462405FBE66BDE8122A98DA47F7C2965D278062C541D6112CEB8A7E240C8BF815CDFC359871E07EC828BE60B2B7E88697EA931501AB0DE0B770F9C3AF04C54418E61675031D37367F8F7A0083A4A005A672B53B41D108C7294CABFB4A501EE0102943A536666BD2D74F13985EA2047890EB0115B57F7B63A9EB6588CA8BA7E2C3C86F93A5ECFBC6FF9A45A93BB96696839E384901C02C91304C5FBA0C3E31A9BD28C5232418BB42618DFB2E82026DDE1C3E6885AB6E7B18B2623492857F50667342D845578393611792061632AA8BC1A0ABAAE9889E614903FB8428FD81BB1691C819492091D8B2F47461A22ACA901C7550D244F0D47CF3130182B18FC6D7653A206EA2BA1EE7151B9C848A29320A1ADA75393965F4F525925084E135144624292445C10C5B3C5C61225A267C0BD1A16F3AC4F5B09EC79B63A747987BC6052A52408A1A6FED94B546B488A992B532AB2F1C97983702B5A574A284F7CA7158628089BD0745249C1A1F66F7939BE748D7380B0AE68D7E973FD35B0C19CAC949FB7257385716F41D96962BF9918E05AA4C42C449F4CBCCA2C7ADA9620BD118B790A5003EF5CC3F1585D5121068E7BEC0C1B42F39C9BC3553F6E4CCDCF84FEA16C296D43722269D1891741FB1C727FC61B3385ACE2BBAA2611BF5C930C79808181080471521DE5C91D9B48495A7570A8C2963644F1F328AD8A6B67BD07C312B919FDA5A7177180F135D05F6BF5864CF471057AD932571BC0D5F86B423A651190AA8E61CD0C6DA7976E1127C53D950DAA15E8FB086E15027F882935A5EF2D224D35E559A5DDF76BF438831F352CAEEDE51B42A3B7817B7702F716469726563746F72795F76657273696F6E01697369676E6174757265590D2DA7FD3D9FB9C04EFD437DC78188F681429845FACFA60E63D7886DC4BF1CC73EBED6F474D223F01D06E240902C252948B7A7E72FB4E8852AB3C0F61E33A324940B5F95C14D18459082F00286F62BF8F2A6DD00DD5C95CE2D7BBBABB4AE861D8055D8531A740B0B89181573AB51E8FBE7A357A53A99CB26DCF58AC8329BBF94C6122D96EFDE6E4D5EC47C575CAE0B62107007EE5CAAD60DAF4D27C32B73EE332CEE8C9FF16ED147EA0C272CF8747C2DF21EB98196FD80DB0FDC94206F4A3E9EAEF6DC51B01FA2C0A1B7877CF48223FCF63437CE5A1C1751940DEB04BE23D6CF0E9EF43BDEBCE821E8E85E7FA93CC59C1D02A58A9D78F301A40082EC7663E5BBCB56E8D4607E2E06CBAEAB638D69C3F5302DDE7D310D2C145570B75D09CEE60B74B6F86BABBE229D4BE250F6D3439921185AB714AD4AEC61526EB605AC4CA301A2AAFEB355644DEA8AF128F8F76C2DBD80B83C26CBF1E99A426FDFB6BE5A6894CCCBEA9CECD0D5735BCB79CFB6F4D54A164124C846ED91824DA37AD5C41F4C0F1DC8E44EF3DE711CE1D2F3D47BB78CB84C416F1FD01A63E885883E9AEC953DD7666C3E4A669E3B1117C58208F2DA635D0E5C25DAD92BEAAD054D536A99E5CF10C52BAC4F4CBB1BBC2C95453786950D5485D5CB566761E5BDE9EBAF287577686FA03A6454C2ED86F9ABACE8B0ED76432C74CD2D3684F58A0A4D707EA0346680E5EB245B5B1F27EEC0D8DAD508B2355FE12803D2D073B6231D0369DB1735AB928AFC9876C232BF5AB3F8CF3511877B9C019313121A1912CAB5CC1269F201DC37912AE5FCD0751F2B56F3AD3AAD270D172ECE45E8D5937CF3CD11D136A830075E17984E6B06B55F07BB64723A3E2CCC7FC8F2C69B552CB689B296F4B59786B4DB9B2CE780384BAEE12A853D6464CF563D13168C5E344C82BBB0B3DAE961708DC31FA38889C21BDF1CE3858D81CE6D9E53E26E9DF6FB867D43891769969BD51C8624E8C48BBAEB5191DC117698A2C189F6C8AA5E696DA17F1F929EE01F8EAE6E912F10EF2D58E4EA16671B1E9D5038B6826AA167812DF9AA738C0005C8D8B55C580638DC79F85FE8C31077D1DCEBCA5A83E7936AE6DC18D18F3608B860CCB2A5FB53C75DA21A37A3AD142F16EC7437E207E6A23C0075882EE6CB3739E2ADBF6553773320197C54A277A735CE106DE99538B2B7B19BF5F42CDD78F2D146960FCCBAE08CA2093C88BCB942C0E89D1377D38A831E0603DDE08FE3B943010EDC1764ABDE629D4791AEA9BE1CE90D078DF538CA54F15BE9F89F5BBF0AD969CE94D361CD0973F3E2CD2FE56C3F4E3A0FF8FB11319AEC2F9C5260A3AD9BC00A446901BF8B4E676F1C2723C6E8CC394152A90B77F4B7D6CDE43244AD80C7EB757D642AC4B04421A0EAE25EB5A702D6409057BE4ED158E0F4FD40E5A69D981FF97D87A420C62410AAB01D08032D95BD05950E0ACBDE45D413E0BD45A171CCD85109189913BF5AA8E52CE22FE8676EC20AA627E6E0FEE97455425A44C9D3BB14FF4CD97A32F40169E4F49379604DC82977C556FDCCB4B17809F87B0D93AB391759B8300C9145FCE250C057BB4A50C89BB395B777C176FAFB77AEC27942B4090E5B9A73AC048D967E0A8DCAE575009896EF8D2C73472D98EDA23D6049984D4D40FB353D69089C2EE5F03FC374D86B0B8BE8CBB3F55ED015F3ABEF839AA6044DB669B043813068A906D6F1F0D512C9BCB5F8291D9CF8803FF71C91439B3F881F79DE6A41B0578192554EAF6BEFA614AD06B7768D28A61CED925F9180C824E611A189AEDFE7E75C65569F54882B9D73CBEF624D2A055EE7055664BD1982BA706F820BDCD2F1815A11BEFC28204140DBB6B631388748D34496B16DC80EE1B604A5177B7DCD834B8D2AA0EC6F01ABCC994BCE24D240046866E447154006D1CF8940E7AC31122C20B3FB2882DBC01ABB0478BD0AA4175F50E780B0EBDA7CBDC75C70E4B8411A3F50AF4D9073AF0BB6B359E2A2D616F564903F6E76D3B58D7A264B5740357A620B9ED87EDA45039F10997B2D7C8020D789F02BD7EB2CCBE2FE4230766B5A0858218EA0F454BAD337117585517E58E197FCB99482A4B69FB05DEA950F1E789F6BC674AB5E379456B6B95F33E5C6A7F8B45AB1189812BA5DEA0C9C1B051A0ACD115113BE4B54EA0DBCB5DBF62EB0BF09092985BF9CCFA1E266517FF44E9B631EC84D6FC86441DB351160107A03233E1CA69A25EC4D667ED7BA23873334B8900B4BC68D5DB91F25D0C1EE478968C97113C4FA0ADF750DC7F5035432556233AB5B27EF1906722256D38323A3FFDF64EE05D74D12AFC5197F90293C8667D3D87BDD1D9A3EA3964E59E7F10F69A916C5D606EBDB5C9FB0B682B1B968F971C4A1DD4EBAF76F203CDF0B71392B338F5D86985C8E34EA1CE2425237F35517630FCFBB6A15EC7B198405B4E2AE5A1B3A70600E73EB536C8414FDBAD6934241B7153DC694E68453508CC9B4FD53DDF4BA8199054B634ECF2CEAE044A3ACEA671667F278914D412BFD2AB7B6E6311B4858751818EC4F20F532967C17ADA54C64D316A0CE0D281293F9D98FFB83C969B6EC8D5EE6EF6209626DAE0639F19F797D093891F21091C25EC85654EF1592D7F384EF5DE4329AB5A64D812809851ECEEEDAB4F40DD007CDA9446D1B7B92DFBE77175BAB7BAAB706853D722D4C83407B99D87981CABDA13B014734891BEAA6BCB9EF423C82B947EAEAEBEF1E126649634E9ED83F0558141021A6865045B1F3DA327B74B5F3ED8C71AB5359A4F8012F9CAA3E4770000E10F1E07C20A6FD71E87C832F602BD216A875A1CFB989099C3EC238E6FBB7E9EC18596708BF351AD1E204B8047CF366532FC2EBDFF8FC4A8D3EA9C45A78BA06E557EE44CEE3F971067DE0B46E4F851AF8894EE4BA3CA191D7F7F7753B0BC50D320BCD09C8D24A2F06F71A541258AD4E3A2A6E77CD68E9501AB502A3C746999A28B1F86B9C0514E1447BB125567CDF0AEAAB2F34DADC848AD6DC74EAF944885EE4E6122D00C560201FD537566EA8395504B3A0A2D53F59039AD9CCCD3D157AE51A28BE3E107E71F6BC90B76107B5A4ABD7849C1BB2EDA1846CAB9E34C0CA823A2200C57DF4782C2B9E443C0D84DFE980BFC5E624A943635F5E84126CCE78CBD8EAACA670D2F8170ABB20068C77553CAB098265CC145E76F1471A15DDB54794FBB0E720C5222CF1E511BDF6E2D658B523C776A0D911218FC46D56B81AE2B7A5D48CDC96805858A297A2F60DDF9FE10F3C3D2E97DAC4BF79D1969BB5910A349D694922D0B357DDEF944BFF905E82775DAED9EDF1214868DB3FCBC2E49D8DEAE6EBBB3900069F1C40C88A5E0DD3EC72AD59905659F4CF197A3B1DBF3F5CA03E73BC720F0AD437F5848DC805B1C0CE14B3A977C82B145AF0394C95DDC784AB4C4E8B38D023A5E8563D64417AABB7638AE4685351FF9766C20EC772587D35AF13D44E16DBE000B09F2B71F88501A2101F0A7A942BD9D479709717198B8067F962839029AABB39917066BAD94D295F976C6512FC48FA1E4E22A7F01DF7EB805E60CBFCE745EA9A49E7E952460469321EA102506174BF8F3D36A0957B61D5C2DE422BC8566D53A2CE2BABB3FD3E29FD34A97CC69379CD2CFDB0DB0598B9E1A1CC2F40F0E9054D77319C52F15F2A43BE150E76A3C2CF76B1A8FB62522CEB8900ADFBBFA7D41D31FA60D780DF2B32790045B2D3054DFCB87DEF7E7E6A66CB54A84F709FADCF72C9831C0FD92DF6B631C768D8290959E47D3D7D6BF89094A9B996292F6B2425EA2607C3EA8D95FD1A79BCB2BCF159E89FFEFA6BBFCC8442E042A6E7B92F6C0FA35A6A9738D8FA47859ABAE67B82F1DC84EE06664E84DE15F4BA38443384D8BEFB01EBEA174DC5B3DF4A95CBE39EC04B64D44F8ED5CEF14D926CAD17DB0CF58D8BB494BAD9435E4FE3B17813C217FD80058D055761D18F3318BE03677897A0EAD94C0C83BD16F7286A502FBBF4626B4E9C265553BDB96732CFAADCA3701EB63E699469818807DFFD934EAF3EF48EA021667D8BD63459154D8B257B065BBC05FA595A23C119E020F567D1B1524514667B19ECC40B3E75F2C5DE8592C8513C6FCB7B7EA80BA6500FB290C09BD13CDA0C39424B748968B026C2F79631A6AA936BE02684804726DC323EB7206F24D668B7152875BEFD9E101E24EB77DCF5B55D48E892F56F1FC6AF674AE92D7C1C9CA16788D7EF20F44D6B79FA79C1C28346FFAC256614C17D5CCFAA5AD8509E8E35A59C7FDA4ED6CA414B0B025F017FC33D6B4377993BF926E4C9CD9BA7BFA896F489D64565391535E97996E8273AABFFAE2EA7B25692E8773EC2FD49FBA0FE09750524A16F655209E3019F5D50E5C3BFBF15D23A24413A4C99930565824D7D1FA3DF9566EABF7D8E9DCE2F242A3414AC25B601796C39EE01568D8E4E9203F6BD0AB34BF1FFC52260AAD0A1AA54614DA6F2CFE97E7D6FD5927D6CA5BF28AFE1611BE99672E1913061B4EA6182F3430EDD5BF5915B9D1D0814EB81A0719134114E7622AC2B2CA935B874E0772ACC3EDEB65BB8E311CD00FBAC51227C1A289CAF24B73AB485B8FA5D4686DB2000862EBE2C449A1B350B4DA20C13C0D7119A0C5B4C10E073EA96EECA9B73E60E2A3F26807ABF9B92F893C2C0125F350121F1C2BC160CC6BFDA3BCF98185FDF64062B2E3957585B68B1B8DDE30B185D7B7D95BB02445FD4D7E8FC6294ADD2D7DDFF020408286878E7F1F804101F26286094ACCF000000000C131A212A33','3f3ac7e72dc430d0f0c4464dfa507359e2602639c87b4173ed4b35140a55310b',1795539781257);
CREATE TABLE escrow (
  user_id    text primary key references account on delete cascade,
  body       blob not null,
  sha256     text not null,
  stored_at  integer not null
) strict;
CREATE TABLE state_slot (
  user_id    text not null references account on delete cascade,
  slot       text not null,
  -- SHA-256 of the body, and its entity tag.
  body_hash  text not null,
  size       integer not null check (size >= 0),
  body       blob not null,
  primary key (user_id, slot)
) strict;
CREATE TABLE invitation (
  invitation_id  text primary key,
  -- SHA-256 of the code.
  code_hash      text not null unique,
  created_at     integer not null,
  expires_at     integer not null,
  -- Of the account that comes of it; null: the configured one.
  quota_bytes    integer
) strict, without rowid;
CREATE TABLE moderation_event (
  event_seq  integer primary key autoincrement,
  user_id    text not null references account on delete cascade,
  action     text not null check (action in (
    'suspended', 'reinstated', 'taken_down', 'legal_hold', 'hold_lifted')),
  asset_id   text,
  at         integer not null,
  reason     text
) strict;
CREATE INDEX moderation_event_by_account
  on moderation_event (user_id, event_seq);
CREATE TABLE session (
  session_id      text primary key,
  user_id         text not null references account on delete cascade,
  token_hash      text not null unique,
  cohort_hash     text,
  device_id       text,
  created_at      integer not null,
  -- The last successful issuance of an access token.
  issued_at       integer not null,
  last_used_at    integer not null,
  expires_at      integer not null,
  -- Access tokens with a jti below this one are refused: they were issued
  -- before the password changed.
  oldest_jti      text not null default '',
  -- The last time a credential beyond the session was presented.
  presented_at    integer not null,
  -- Above every access token of the session that was issued, whatever the
  -- clock said: a password change sets oldest_jti above it.
  newest_jti      text not null default '',
  -- When it presented a code of the second factor last; null: never.
  factor_at       integer
) strict, without rowid;
insert into session values('01a20e82-c647-7251-97de-e1ff66a58408','651c62b3-fbe0-41e2-86a5-815962706a4e','2cf532b3a3c501301f626b1899f263c98a4c7832496ef02d9db511941049a5fb',NULL,NULL,1795539781191,1795539781191,1795539781191,1827075781191,'',1795539781191,'01a20e82-c648-732e-8b5c-8a69a7c0b4bd',NULL);
CREATE INDEX session_by_account on session (user_id);
CREATE TABLE cohort (
  user_id      text not null references account on delete cascade,
  cohort_hash  text not null,
  first_seen   integer not null,
  last_seen    integer not null,
  primary key (user_id, cohort_hash)
) strict, without rowid;
CREATE TABLE password_failure (
  user_id         text not null references account on delete cascade,
  client_address  text not null,
  failed_at       integer not null
) strict;
CREATE INDEX password_failure_by_account
  on password_failure (user_id, failed_at);
CREATE TABLE password_lock (
  user_id         text not null references account on delete cascade,
  -- The empty text locks the account for every address.
  client_address  text not null,
  locked_until    integer not null,
  primary key (user_id, client_address)
) strict, without rowid;
CREATE TABLE unknown_failure (
  failure_seq     integer primary key,
  -- A keyed hash of the address.
  subject         text not null,
  client_address  text not null,
  failed_at       integer not null
) strict;
CREATE INDEX unknown_failure_by_subject
  on unknown_failure (subject, failed_at);
CREATE TABLE unknown_lock (
  subject         text not null,
  -- The empty text locks for every address.
  client_address  text not null,
  locked_until    integer not null,
  primary key (subject, client_address)
) strict, without rowid;
CREATE TABLE password_reset (
  user_id     text not null primary key references account on delete cascade,
  -- SHA-256 of the code.
  code_hash   text not null unique,
  expires_at  integer not null
) strict, without rowid;
CREATE TABLE totp (
  user_id        text primary key references account on delete cascade,
  -- Sealed under a key that lies outside the database.
  sealed_secret  blob not null,
  confirmed_at   integer,
  -- The highest time step whose code was accepted.
  highest_step   integer not null default 0
) strict;
CREATE TABLE totp_failure (
  user_id    text not null references account on delete cascade,
  failed_at  integer not null
) strict;
CREATE INDEX totp_failure_by_account on totp_failure (user_id, failed_at);
CREATE TABLE passkey (
  passkey_id     text primary key,
  user_id        text not null references account on delete cascade,
  -- The authenticator's own id of it, base64url.
  credential_id  text not null unique,
  -- COSE_Key.
  public_key     blob not null,
  sign_count     integer not null,
  -- JSON: how the authenticator is reached, as the browser told.
  transports     text not null,
  backed_up      integer not null check (backed_up in (0, 1)),
  name           text not null,
  created_at     integer not null,
  last_used_at   integer
) strict, without rowid;
CREATE INDEX passkey_by_account on passkey (user_id);
CREATE TABLE second_factor_challenge (
  challenge_id    text primary key,
  user_id         text not null references account on delete cascade,
  attempts        integer not null default 0,
  expires_at      integer not null,
  -- From where the first factor came: a lock for that client address ends it.
  client_address  text not null default ''
) strict, without rowid;
CREATE INDEX second_factor_challenge_by_account
  on second_factor_challenge (user_id);
CREATE TABLE revoke_challenge (
  challenge_id  text primary key,
  user_id       text not null references account on delete cascade,
  challenge     blob not null,
  expires_at    integer not null
) strict;
CREATE INDEX revoke_challenge_by_account
  on revoke_challenge (user_id, challenge_id);
CREATE TABLE enrollment_code (
  user_id     text primary key references account on delete cascade,
  -- SHA-256 of the code in its canonical form.
  code_hash   text not null unique,
  expires_at  integer not null
) strict, without rowid;
CREATE TABLE enrollment_channel (
  channel_id  text primary key,
  -- Who issued the code: the channel's initiator.
  user_id     text not null references account on delete cascade,
  opened_at   integer not null,
  expires_at  integer not null
) strict, without rowid;
CREATE INDEX enrollment_channel_by_account
  on enrollment_channel (user_id, opened_at);
CREATE TABLE relay_payload (
  relay_seq   integer primary key autoincrement,
  channel_id  text not null references enrollment_channel on delete cascade,
  direction   text not null
    check (direction in ('to_initiator', 'to_enrollee')),
  payload     blob not null
) strict;
CREATE INDEX relay_payload_by_mailbox
  on relay_payload (channel_id, direction, relay_seq);
CREATE TABLE album (
  album_id          text primary key,
  owner_id          text not null references account,
  protocol_version  text not null,
  roster_version    integer not null default 0,
  amk_epoch         integer not null default 0,
  tombstoned_at     integer,
  successor_id      text,
  created_at        integer not null
) strict, without rowid;
insert into album values('d521bc5f-ab0e-8852-b331-c39e32734db1','651c62b3-fbe0-41e2-86a5-815962706a4e','2026-11-01',0,0,NULL,NULL,1795539781274);
CREATE INDEX album_by_owner on album (owner_id);
CREATE TABLE roster (
  album_id      text primary key references album,
  body          blob not null,
  body_hash     text not null,
  member_count  integer not null,
  published_at  integer not null
) strict;
CREATE TABLE roster_member (
  album_id  text not null references album,
  -- A user id of this server, or <user_id>@<server_id> of a peer.
  member    text not null,
  role      text not null check (role in ('viewer', 'contributor')),
  -- The album's owner, who may name an account in so many albums only.
  owner_id  text,
  primary key (album_id, member)
) strict, without rowid;
CREATE INDEX roster_member_by_member on roster_member (member, album_id);
CREATE INDEX roster_member_by_owner on roster_member (owner_id, member);
CREATE TABLE capability_grant (
  grant_id     text primary key,
  album_id     text not null references album,
  peer         text not null,
  member       text not null,
  scope        text not null
    check (scope in ('read', 'read-derivative-only')),
  ttl_seconds  integer not null,
  not_after    integer not null,
  renewable    integer not null check (renewable in (0, 1)),
  created_at   integer not null,
  revoked_at   integer
) strict, without rowid;
CREATE INDEX capability_grant_by_album on capability_grant (album_id);
CREATE INDEX capability_grant_by_end on capability_grant (not_after);
CREATE INDEX capability_grant_revoked on capability_grant (revoked_at)
  where revoked_at is not null;
CREATE TABLE capability (
  jti              text primary key,
  grant_id         text not null
    references capability_grant on delete cascade,
  issued_at        integer not null,
  expires_at       integer not null,
  -- The token whose refresh issued this one: one successor each.
  predecessor_jti  text unique
) strict, without rowid;
CREATE INDEX capability_by_grant on capability (grant_id, expires_at);
CREATE TABLE upgrade (
  album_id             text not null references album,
  intent_id            text not null,
  -- SHA-256 of what was signed: a signature differs each time.
  body_hash            text not null,
  to_protocol_version  text not null,
  successor_id         text not null,
  -- A live one past its expiry has ended as well.
  state                text not null
    check (state in ('live', 'ended', 'committed')),
  begun_at             integer not null,
  expires_at           integer not null,
  committed_at         integer,
  primary key (album_id, intent_id)
) strict, without rowid;
CREATE UNIQUE INDEX upgrade_live on upgrade (album_id) where state = 'live';
CREATE TABLE upgrade_file (
  album_id  text not null references album,
  owner_id  text not null,
  asset_id  text not null,
  primary key (album_id, owner_id, asset_id)
) strict, without rowid;
CREATE TABLE upload (
  upload_id         text primary key,
  user_id           text not null references account on delete cascade,
  asset_id          text not null,
  album_id          text references album,
  blob_role         text not null
    check (blob_role in ('original', 'derivative', 'metadata', 'provenance')),
  ciphertext_hash   text not null,
  size              integer not null check (size > 0),
  crypto_suite_id   integer not null,
  envelope          text not null,
  state             text not null check (state in ('open', 'finalized')),
  created_at        integer not null,
  expires_at        integer not null,
  -- While a checksummed request writes: bytes from here on do not count.
  unverified_from   integer,
  sync_seq          integer,
  -- 1: brings back a blob that the asset has; it takes no room of its own.
  heals             integer not null default 0 check (heals in (0, 1))
) strict, without rowid;
insert into upload values('01a20e82-c70f-730b-abf6-13ee853c569b','651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','d521bc5f-ab0e-8852-b331-c39e32734db1','original','b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25',732,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"61dae28f-9521-42bc-a4d8-8658f384c4ec","amk_version":0,"ciphertext_hash":"b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25","plaintext_size":700,"chunk_size":65536,"key_mode":"derived","original_blob_hash":"b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781380,"action":"create"}','finalized',1795539781385,1795626181417,NULL,NULL,0);
insert into upload values('01a20e82-c73a-717e-a22d-e411a7bbdadc','651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','d521bc5f-ab0e-8852-b331-c39e32734db1','metadata','6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2',190,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"61dae28f-9521-42bc-a4d8-8658f384c4ec","amk_version":0,"ciphertext_hash":"6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2","plaintext_size":700,"chunk_size":65536,"key_mode":"derived","metadata_blob_hash":"6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2","original_blob_hash":"b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781430,"action":"create"}','finalized',1795539781432,1795626181450,NULL,NULL,0);
insert into upload values('01a20e82-c753-7339-bf31-5097ac63ad41','651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','d521bc5f-ab0e-8852-b331-c39e32734db1','provenance','81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a',3975,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"61dae28f-9521-42bc-a4d8-8658f384c4ec","amk_version":0,"ciphertext_hash":"81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a","plaintext_size":700,"chunk_size":65536,"key_mode":"derived","metadata_blob_hash":"6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2","original_blob_hash":"b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781430,"action":"create"}','finalized',1795539781457,1795626181483,NULL,2,0);
insert into upload values('01a20e82-c787-70b3-9d24-065ddd5bf69f','651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','d521bc5f-ab0e-8852-b331-c39e32734db1','original','d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008',55,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"aa35f243-2ba8-474c-b987-43ca5c874a63","amk_version":0,"ciphertext_hash":"d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008","plaintext_size":23,"chunk_size":65536,"key_mode":"derived","original_blob_hash":"d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781494,"action":"create"}','finalized',1795539781496,1795626181562,NULL,NULL,0);
insert into upload values('01a20e82-c7c2-7256-b9c1-2da444081939','651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','d521bc5f-ab0e-8852-b331-c39e32734db1','metadata','79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4',174,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"aa35f243-2ba8-474c-b987-43ca5c874a63","amk_version":0,"ciphertext_hash":"79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4","plaintext_size":23,"chunk_size":65536,"key_mode":"derived","metadata_blob_hash":"79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4","original_blob_hash":"d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781567,"action":"create"}','finalized',1795539781568,1795626181591,NULL,NULL,0);
insert into upload values('01a20e82-c7fe-7177-a609-de7cd570d606','651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','d521bc5f-ab0e-8852-b331-c39e32734db1','provenance','8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4',3973,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"aa35f243-2ba8-474c-b987-43ca5c874a63","amk_version":0,"ciphertext_hash":"8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4","plaintext_size":23,"chunk_size":65536,"key_mode":"derived","metadata_blob_hash":"79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4","original_blob_hash":"d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781567,"action":"create"}','finalized',1795539781628,1795626181645,NULL,3,0);
insert into upload values('01a20e82-c82f-749c-8c38-c4cdc9ae896d','651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2',NULL,'original','9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7',481,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","file_id":"58605093-3e4f-4665-9542-48735f9834c2","amk_version":0,"ciphertext_hash":"9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7","plaintext_size":449,"chunk_size":65536,"key_mode":"derived","original_blob_hash":"9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781673,"action":"create"}','finalized',1795539781676,1795626181693,NULL,NULL,0);
insert into upload values('01a20e82-c84b-7376-9eb8-ac60baf0b170','651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2',NULL,'metadata','3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4',210,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","file_id":"58605093-3e4f-4665-9542-48735f9834c2","amk_version":0,"ciphertext_hash":"3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4","plaintext_size":449,"chunk_size":65536,"key_mode":"wrapped","metadata_blob_hash":"3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4","original_blob_hash":"9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781701,"action":"create"}','finalized',1795539781705,1795626181732,NULL,NULL,0);
insert into upload values('01a20e82-c870-702b-89ed-36aa1c206429','651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2',NULL,'provenance','69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178',4001,1,'{"crypto_suite_id":1,"protocol_version":"2026-11-01","file_id":"58605093-3e4f-4665-9542-48735f9834c2","amk_version":0,"ciphertext_hash":"69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178","plaintext_size":449,"chunk_size":65536,"key_mode":"wrapped","metadata_blob_hash":"3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4","original_blob_hash":"9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781701,"action":"create"}','finalized',1795539781742,1795626181762,NULL,4,0);
CREATE UNIQUE INDEX upload_by_purpose
  on upload (user_id, asset_id, blob_role, ciphertext_hash);
CREATE INDEX upload_by_expiry on upload (expires_at);
CREATE INDEX upload_by_album on upload (album_id, state)
  where album_id is not null;
CREATE INDEX upload_open on upload (user_id, upload_id) where state = 'open';
CREATE INDEX upload_by_hash on upload (ciphertext_hash) where state = 'open';
CREATE TABLE pending_blob (
  upload_id  text not null,
  hash       text not null,
  noted_at   integer not null,
  primary key (upload_id, hash)
) strict, without rowid;
CREATE INDEX pending_blob_by_hash on pending_blob (hash);
CREATE TABLE blob (
  hash       text primary key,
  size       integer not null,
  stored_at  integer not null
) strict, without rowid;
insert into blob values('3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4',210,1795539781732);
insert into blob values('69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178',4001,1795539781762);
insert into blob values('6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2',190,1795539781450);
insert into blob values('79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4',174,1795539781591);
insert into blob values('81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a',3975,1795539781483);
insert into blob values('8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4',3973,1795539781645);
insert into blob values('9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7',481,1795539781693);
insert into blob values('b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25',732,1795539781417);
insert into blob values('d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008',55,1795539781562);
CREATE TABLE blob_month (
  -- YYYY-MM, in UTC.
  month  text primary key,
  count  integer not null check (count >= 0),
  bytes  integer not null check (bytes >= 0)
) strict, without rowid;
insert into blob_month values('2026-11',9,13791);
CREATE TRIGGER blob_stored after insert on blob begin
  insert into blob_month (month, count, bytes) values (
    strftime('%Y-%m', new.stored_at / 1000, 'unixepoch'), 1, new.size)
    on conflict do update set count = count + 1, bytes = bytes + excluded.bytes;
end;
CREATE TRIGGER blob_dropped after delete on blob begin
  update blob_month
    set count = max(count - 1, 0), bytes = max(bytes - old.size, 0)
    where month = strftime('%Y-%m', old.stored_at / 1000, 'unixepoch');
end;
CREATE TABLE small_blob (
  hash   text primary key references blob on delete cascade,
  bytes  blob not null
) strict;
CREATE TABLE lost_blob (
  hash        text primary key,
  noticed_at  integer not null,
  -- 1: the bytes are there and are others; 0: there is no file of its size.
  is_damaged  integer not null default 0 check (is_damaged in (0, 1)),
  -- When it was last looked at again; null: not yet.
  looked_at   integer
) strict, without rowid;
CREATE TABLE asset (
  asset_id         text primary key,
  owner_id         text not null references account,
  album_id         text references album,
  state            text not null check (state in ('live', 'deleted')),
  chain_head       text not null,
  sync_seq         integer not null,
  created_at       integer not null,
  updated_at       integer not null,
  deleted_at       integer,
  -- Who deleted it: its owner, or the album's.
  deleted_by       text,
  -- The latest retention floor that a manifest carried.
  retention_until  integer,
  -- Under legal hold since.
  held_at          integer,
  -- Taken down since: withheld from everybody.
  withheld_at      integer
) strict, without rowid;
insert into asset values('58605093-3e4f-4665-9542-48735f9834c2','651c62b3-fbe0-41e2-86a5-815962706a4e',NULL,'live','69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178',4,1795539781762,1795539781762,NULL,NULL,NULL,NULL,NULL);
insert into asset values('61dae28f-9521-42bc-a4d8-8658f384c4ec','651c62b3-fbe0-41e2-86a5-815962706a4e','d521bc5f-ab0e-8852-b331-c39e32734db1','live','81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a',2,1795539781483,1795539781483,NULL,NULL,NULL,NULL,NULL);
insert into asset values('aa35f243-2ba8-474c-b987-43ca5c874a63','651c62b3-fbe0-41e2-86a5-815962706a4e','d521bc5f-ab0e-8852-b331-c39e32734db1','live','8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4',3,1795539781645,1795539781645,NULL,NULL,NULL,NULL,NULL);
CREATE INDEX asset_by_album on asset (album_id);
CREATE INDEX asset_by_owner on asset (owner_id);
CREATE INDEX asset_held on asset (owner_id, asset_id) where held_at is not null;
CREATE INDEX asset_by_deletion on asset (deleted_at)
  where deleted_at is not null;
CREATE INDEX asset_in_trash on asset (owner_id, deleted_at, asset_id)
  where deleted_at is not null;
CREATE TABLE holding (
  owner_id      text not null references account,
  asset_id      text not null,
  role          text not null,
  hash          text not null references blob,
  size          integer not null,
  upload_id     text not null,
  finalized_at  integer not null,
  receipt_seq   integer not null,
  -- 1 once a live manifest holds it.
  applied       integer not null default 0 check (applied in (0, 1)),
  primary key (owner_id, asset_id, role, hash)
) strict, without rowid;
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','metadata','3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4',210,'01a20e82-c84b-7376-9eb8-ac60baf0b170',1795539781732,8,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','original','9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7',481,'01a20e82-c82f-749c-8c38-c4cdc9ae896d',1795539781693,7,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','provenance','69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178',4001,'01a20e82-c870-702b-89ed-36aa1c206429',1795539781762,9,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','metadata','6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2',190,'01a20e82-c73a-717e-a22d-e411a7bbdadc',1795539781450,2,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','original','b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25',732,'01a20e82-c70f-730b-abf6-13ee853c569b',1795539781417,1,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','provenance','81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a',3975,'01a20e82-c753-7339-bf31-5097ac63ad41',1795539781483,3,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','metadata','79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4',174,'01a20e82-c7c2-7256-b9c1-2da444081939',1795539781591,5,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','original','d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008',55,'01a20e82-c787-70b3-9d24-065ddd5bf69f',1795539781562,4,1);
insert into holding values('651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','provenance','8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4',3973,'01a20e82-c7fe-7177-a609-de7cd570d606',1795539781645,6,1);
CREATE INDEX holding_by_hash on holding (hash);
CREATE INDEX holding_unapplied on holding (owner_id, asset_id)
  where applied = 0;
CREATE TRIGGER holding_pending after insert on holding
when new.applied = 0 begin
  update usage set pending_blobs = pending_blobs + 1
    where user_id = new.owner_id;
end;
CREATE TRIGGER holding_applied after update of applied on holding
when new.applied <> old.applied begin
  update usage set
    pending_blobs = max(pending_blobs + old.applied - new.applied, 0)
    where user_id = new.owner_id;
end;
CREATE TRIGGER holding_dropped after delete on holding
when old.applied = 0 begin
  update usage set pending_blobs = max(pending_blobs - 1, 0)
    where user_id = old.owner_id;
end;
CREATE TABLE manifest (
  owner_id       text not null references account,
  asset_id       text not null,
  -- SHA-256 of the signed manifest, as it lies in the provenance blob.
  manifest_hash  text not null,
  prior_hash     text,
  action         text not null check (action in ('create', 'replace')),
  envelope       text not null,
  sync_seq       integer not null,
  -- The receipt of its provenance blob.
  receipt_seq    integer not null,
  applied_at     integer not null,
  primary key (asset_id, manifest_hash)
) strict, without rowid;
insert into manifest values('651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178',NULL,'create','{"crypto_suite_id":1,"protocol_version":"2026-11-01","file_id":"58605093-3e4f-4665-9542-48735f9834c2","amk_version":0,"ciphertext_hash":"69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178","plaintext_size":449,"chunk_size":65536,"key_mode":"wrapped","metadata_blob_hash":"3a29892e4e72a31da0afdb22899395e2f339fd557831ee1274b4e10a126dbde4","original_blob_hash":"9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781701,"action":"create"}',4,9,1795539781762);
insert into manifest values('651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a',NULL,'create','{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"61dae28f-9521-42bc-a4d8-8658f384c4ec","amk_version":0,"ciphertext_hash":"81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a","plaintext_size":700,"chunk_size":65536,"key_mode":"derived","metadata_blob_hash":"6e288e3bcdc5e748aee05cc46f8b03541cca464b7025fb2e2634ceec888c6ca2","original_blob_hash":"b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781430,"action":"create"}',2,3,1795539781483);
insert into manifest values('651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4',NULL,'create','{"crypto_suite_id":1,"protocol_version":"2026-11-01","album_id":"d521bc5f-ab0e-8852-b331-c39e32734db1","file_id":"aa35f243-2ba8-474c-b987-43ca5c874a63","amk_version":0,"ciphertext_hash":"8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4","plaintext_size":23,"chunk_size":65536,"key_mode":"derived","metadata_blob_hash":"79411952f28c18c5fccdd6e2f0baa4220f422a8db1e665cca64028901bdde5a4","original_blob_hash":"d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008","created_by_user":"651c62b3-fbe0-41e2-86a5-815962706a4e","created_by_device":"0377e054-7d01-43be-bd81-b41fa2ed7f3a","client_version":"strongroom-demo/1","timestamp":1795539781567,"action":"create"}',3,6,1795539781645);
CREATE INDEX manifest_by_owner on manifest (owner_id);
CREATE TABLE receipt (
  receipt_seq   integer primary key,
  owner_id      text not null,
  asset_id      text,
  upload_id     text not null,
  receipt_hash  text not null,
  body          blob not null
) strict;
insert into receipt values(1,'651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','01a20e82-c70f-730b-abf6-13ee853c569b','28ffa556b1c52951ee532ca6aa10a914ccc931f19db55d8fbea28361cbbf2c14',X'A2677061796C6F6164590195AC6473697A651902DC6474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782436316461653238662D393532312D343262632D613464382D38363538663338346334656369626C6F625F726F6C65686F726967696E616C697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633730662D373330622D616266362D3133656538353363353639626B726563656970745F736571016B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3431335A6D656E76656C6F70655F68617368F66D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F686173685820B7F5383F5F2A4F4DA85516361C11707C317727FEED7479614957637114005F25727072696F725F726563656970745F68617368F6697369676E6174757265590D2DD7BDEA569C349AAB9DD6BA754876FEAABB1F8A4BC63532754C37B3F44FD2B980BC980F9FFF477AAC83D8EDBB6924F17560C2326B8C6C10CFA3D62C406157C607780A641682EF42F287262AE5BA501E420CD3F31A603BDBD345428737A6ED669570158265F582A2EA30E1C7C6A6B10BADDB41EE38396BFB398C3EFCE54E03BBEB357ABC4EF598B8785DBF7D35D0A16425869C51B6C76EE87A563A18915F14953DF02368E0E696C71C0E6A979DCDF29AC7CFC37EFD1609A30C17CC1CEDF751BAB27F49B54BA4C6E36530B953C02C5425459D6DACEA62DBFE46C11A01E6FE3C2B3FEE4FC5F26B46F4D55B1698377BF0E9FBBC4D485012EECE6511059AEB343D6BB3B83488F1E540792E9037726D7350B83657D259AB93B0D6076C28C420AA95203AA3869918402330210FBD8A3D74BE70437A7403178D1B9277F80B5C13E2FF00156AC5EB882D80507E21A3DDC4D7CE878BED42F90447B5B3B817393CB6B1467660171D90B3CE71CCF9B29549DC9959F82040D6DD44E7CF0DC7DE70BFD42B87EA8F7C9176EA27966B3070B4C7399D3F107CFCF030B2B80A7BB6BE90FD8A0D21C4235617932AB6E93D8DA6121E34A7461BC6083B014B055C9A00AF758565DE4E3F1EBA04588DE7263AA79C030B95DDE480A316F18B8BC48CC9FDFB35A79E22E037EB5BC6615CAC78B40535AC94C308680EC1DCD139680439A5F4EE3116F785319D6B07CCA00BB971BE19DD68372857EDEAC1FE75782BDFDA5E32F56510B3EEB1C53974D7BF1E8B7BC1447706785657FB039AF2948DD3FDDE7FC41F3593F58330A75194811E6147E494AF7E527D3714939C0E5F9AE4F393BD18DCAD1A2FF4B65A36BDB99C52B6457EC4381D1419083A8E2295B67A9C4309EACC80A37505402F60DF7A999DD44D4A61801A0977942415D0924EDF60ABB373194AF3CF84D1C19429769F3417DB105BB5531D3525C2CFA3E8ABAA1BECE4C6A0F21C402436887825CFA40A8B9755A7E374825F991C3EECC6534B64D909C01301DD1B075E71510F5CFB92697C3699A4415AFABBCB1ADA7FC59790BD828B6D0CA7EEE0630478E6C99F0231B5312D9BBD9F11E8C39E8E6E1AD49190CE105C3C58BED09B0654C2FD239D3EF9EE681B4DB078B0CA73420A0928E9920A94933A238130CF27085AC5B3D372734308A396BC69B6D973417FBC05BE6066F5130FDC5D55547E3C7D8CB54835664F140CB2A933C4485A13D2B02FD40F34FB0A67C1C78EC4F057E3F90B8E178029A6E7FB3DA0FD0815E5B16BC8CEF55EBB2F891AB2201C8D319485288E7522E5DD4A331B8117B8F73FF60036443CB8BC945567639B70F7008BCFE71C3BEA3B7AE252D86A49D4AD5E75FECDD5242ED0CD7E88FE87AA7AAE6AA311C46DC4BE4C1E3A3A731D04C68A64C351AE78029AB34009E88757B1DE93C99C0AB78A2A0BC02CD7BE5E544C1C7F67ADA630F5D69C1129209483D9301D5B1155D3AF211C7748D3C23E41158E473B2328F2C8128DF1AA010DD74BC23946D8F5CD431A626F93259D3BD6BCDDCBC940FECBEEFBF626C718352C72275091A0C8E1B2AE24123D43B7E5D57CDF2226F13E8E25DFA4B06C76CCDCB4284EAD0B614381940E7531670B7231CA498BAA29426CD989E1648627D9978B35B01F7D9762FE6DBDADD73E6F98A5A7C27A6255A8B1BD832477CDE6237BCDCB1844745860314AF8D4E959A480BA3FC0D857F55C049F0BE8A879C5EEC653DF2E2DEB40D30401F59E4394D816CAFB71D008523B3D685F6F429D29A15C60EB8DC833566B3733942D4803A347DD2D8F544AB549AFAE4981BB455F1F597249487E5EC601C6BDF94E2BDB47730503B17E7C70F8A934D86C378DC67B0DF4E86F9F37D77EF366A61049CD32A0ACFB3C87F99550074B69DF620D12E4B27FBDA4C93FCC0B2795FA0FB972460814A40ABFE27FB5D3F7544368FB8DD9A1A61C13A883EBFCC7C65720ED00AABA36C1A7493F88C47EDCCADE1D372E1327962D9520B407E53D32C2321C344E06B1E298547448D9DF600F6CBD98842CAD0F710D8835E6F8513A89C8E9D318DFAC671ECD65637EEB1B1F1C99DD222224A2335ADF87D2D4C882AB7204AF2E57A63A7DF1700087CE05D82CFF1B944740D1481EB7FA2CD4F5A12C18666CAA91B4782BE708C92F543DB14855CA83B1271DA3D8C80DE73A43BB9A292B57DDFAB423272B2B8A076E07A7D8F11DF7EDC048D88F2D5D300CC219DA16D2B7D7571F0130B0951B2CA4B6FBFE43D564B60C3B0755B17123192074917E31718F59080B846A64F8A240A39F075439BF8BC913049B383B6AD806271DD434488720DF640D8E1A95B6EA3102E83B85CF33560597285EFD57B533FA78088A2A6E29CD2182768F994FF5241182AE4B0512018D777C7C9A150B7C9F5EE6133D6DD1655BAC0DD840797307F795BF9BE070ED4849B62BAF2EBD7681539C12CFE4D0C9E58B1262EC94DF7ECA97E399656F21DCCD1318F4A6FA654A12A38DC457B0E359DB17ED31B47FF51EA354961AB4406073579B119F8C03969CEF8ABDD94C2F7A37E43CEB3FD9CD769FA7F9B5B11CE35EDD24E806A21CB869E05E2BEDDCF18023ACB6313273B8F06D0CE0B61D67CD691919AE9C1087B7E0E8A0A51F0CAE4C129D2006F94EE34206AAFACE51696C9B729170DC0D94803F1116DD37AC77631DEF4DACAE0052B3F74EBBFB08E2CA424D068D80674B72CC856B59D9E5369AFD2C0974AD4718D787F8C2FBD44075BF7CBFDBE257B308206781DC0D2F32C904F75EE4CA0003FF08377FA5DA9A608103349FC6FEF49ECBDD56A31A8BA17813E025A0FC998742993A7E6BAA10AB3A05DCAC4E31A2AF6D3DD49ABC33BA74D6D1CF1A31DAA6AC9BF972D0D1E154525490AB5AE0E304521A9EB22F6417F8DE97DBBD93DA7BC9858BEBE1D124A840A54CA2D783BC3D1E1857779B036CCDFE8920266B26E37BF76FCA974CAB5D202470E5ED8A0D8D93CA9C93ABCBA20F11B18FCC872DA8E59F4287E396A8217E5CB0A521D8F3E31E20645B3B46998D5AF4D504599DB716EBD9F8D0C8C68148477A50AA66C90213390175EC3ADFBAD965E6DE5306277B8C518AE6A555C4B655E6777359B4E45BCE2F01EBD65AB5F7A2EAAC8990CF1CE044A9BD2F55B727D747D042667C984A5424F2DCF6049A3896E34668D7F712BB1964A88C892DD81084B4A15CA11284FBF6FE2F56559C271D65C511204AF77435441AC4AF461E3415F4D0A24E96D69035065D50EB2E54F121E85B5ABED5BA46F37B05BE2F609F35F3DCD4DE24C2B0766A919FBC7F75581A623D7465C7E7B3BA7B41B8C879476F1EFB50981E6CDD3725D8A2A26A5E8F4C9B37E0E5444F0536D7A696727794301DBB75A71D3E55B48FB5AC19D8B44C007A4FE1773F629571176905CFBD54907834FE0F5D9918277573A1621B7B202801FD7ADA5E7D9EB9F98AE9A8296B2A770ACDE68E1E2F6FB90BAD62626010868BE84E3FB349B90DD70392AA74F751269735E194E4549DCFB8CB1CCAB5818DE10560921E375B51BDF4DDAABB3371714630B350EC5A8DDCEDAAD3601C773AFC0204F2982B151B8AE23D4066BB52CCEA5293286BC40F5510F08B3DB0DC7F9B1F167BE7CC8FA26B89C8BD76E959843C2DEE6A2A3B711DC21238B2F1ED5E3BD1C4D38E527CB1FD5E7B3B3F4CF9ACFF71EABC3B83FB52404B2FDD32B4743FC81D9C16BE353DCFE9907360A3E284838379D51215E48B930A2D759748665FCD690C19534CA56A30423D6E71683E13BEA41E26F0A6D02560481FF51CBC8B2B9646AD2E0ACCB69D13FBA623782120ADA1B4592CB00A39F4699E32BCD1C530605E5B6677652560C72937A65170A4BC459BD0E05F4EFEB0691166809287256B019E49F25426AC59EBADB4016D7229CF9D4C317F6AED14F6DFF5B1D3EB17C345D0F29CC634C2BF16A7B0767404C1762A136693B80A94978C3CBE7976D3A1AEF9DE5DCF589F056BB08B1C3335DC431D637A85E920BFFC7502E446D12BDF5DD5B2CFD64891E61961CF70A3506D193099F8CF6AF75B03EA7B1D19DCE5651902EE17250E053EBD9F143C19242F70ED605E5C6A868A4283C42A060E65F20DC2E8F153A56717B284E2E3846A28EFFB13D60A641F3D1DD914F86AAB444F4A57C1B3935E596FBD0EF1EB0D60A046AC7836DC025959C81211BAC41E9D95280DC7774F0F4FF00C0E7F07A4CEAAA19BF867582DC203083D765ACE3318EFFF96D26E983C324F95B1D32CFCC3F3E7964A06489B54AF866CA48B60C504AC9EB192EB5A214E84EF5ACF73B4D6FEE89F5DEF13817674F0FBCC0BF8099D16193D9B67D208D1335CE8E52FEBAB5C34D7579A11728EB199315D0B3B931B059C2CF0F368F499EE122F14D72BB5F64764BD0535BEBDA0C95147A40384A1C0739AF9252CC0CE3F2E03ECC768BB12D3E86D3388F6B6A9AC1F0BD0046446F1DE8FD8FBEA8C3F3451B872AA69374140B078AE0D13B6679431124E62F59A1D606915EAF891FEF1A24756542FAF69FCDF48B230A183AA6EEC3175F16CABB99C49C8162BB7113DA4B7CB44CC80DECB81D2399B271E701544272A67D3E6D0443CDF196106FD7F36345C11AAF5D19292A444EE44D6EEAA25A86ABC087003906C106FDB9D94637BC50486729C868CA7132D29249A7C368ED3C94C9CEA510E88D18E4DEA4ADCEE870E2CD8208F804B840D206D7BC6E1E7323C414C6099BBC8F2181B3D4E7585D0F8346697D304AF4163747E82979BB8FE000000000000000000000000000000000710181C1E27');
insert into receipt values(2,'651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','01a20e82-c73a-717e-a22d-e411a7bbdadc','e323e00c4b881b4a0d98a169a3fa5599748b57fdf7da1cb3b05d0df509da6a6a',X'A2677061796C6F61645901B5AC6473697A6518BE6474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782436316461653238662D393532312D343262632D613464382D38363538663338346334656369626C6F625F726F6C65686D65746164617461697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633733612D373137652D613232642D6534313161376262646164636B726563656970745F736571026B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3434375A6D656E76656C6F70655F68617368F66D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F6861736858206E288E3BCDC5E748AEE05CC46F8B03541CCA464B7025FB2E2634CEEC888C6CA2727072696F725F726563656970745F68617368582028FFA556B1C52951EE532CA6AA10A914CCC931F19DB55D8FBEA28361CBBF2C14697369676E6174757265590D2D1F40CCE9729D859536A1795E1BA8A52FA0D4514765AFA6BE77F0F62840C43AF912BE9038EA2EAAE5B7978FC2B59A2B900C3BEAA79B80E9520A785998292D6201B900F5BDA57F5CC9B9BECF424E321DC252EAFB04F6D76D32F965781929E3B4E73F2BFF3D0547296B3553098D9D022E395F6059F73A0A3D0E88FF007D23419C46DAF3CC7FDF12C4D36921894CBE5D5CB86098D2584978B2B166E53E0B8293D45D128962F6D57A809C179F2A7DB0EBC4A115AE91EF9292027429466FE9B88B5F3131D9FF2F1D172AD7CD80CCB74DC8B69B037521814D74A6B29BA85C8267DFF80A226634A9619EA8C9C1F4E475B819E0C7E3AE5F8C0DE2A14B1E560F2A0FC614B313FE7A41FA98FB1D282F0366F70BB60A94E9A520EA65F04C397253BDD47D8FE02B750FDFB0F3FA3C2D647C602B9B9FB6C1FFBA2F9817279CA880BC4D3AF43E7821844640FA236CB3640326FAD577DFBDF2B5E0578DE2089AFF902B487AE33B34FDF8B1EAECB83B1FB3BD825CF2AB4AEB9D7813A7F8F0A497FCA737329B6F83A7D452D48E87E944C53A6EBC84DD2FC3CAC555EAB76206B9B23DDBDB4EC083CF2995128D478D536333FB65C992D47AA9DC64DED5AAC6B47ADCA58083753C121E7BD25D20467A865E758DEA4965A9A36866B5B111CA50EEB6B480098E34B34218B383FD2DBD50EA7F0A2849A4A0D155B86B01756FD4E96E9911718CC3B06A1E7EF04B9FAF8DADA231299B93D5A9DBB25FE2AB2B11B235A363971400192FEE60FFEB257E3A4F38D2FC5DEF2BA5DF73F72D94DC1D47CD4EBBFAD9FEC2EFA03D6B36E9D1E66829D6E76187AE0CE582DA818F2DAC9526E6C8BC0B8EB2A752C0263D9C3545E807613ADCB6FE92F08F0206505D80E088865763FD9A759D565D4A235D82C1367654D66FE523A6E8827238A541F820F4DDC1871CB12A0669C7A50BD54E54EC995DC5E5B060CF7620D7222DA165ED02C03B2E301996F2BC5D13B7CB202BE9718DDC5ECA2C90B67CCF265DC3548B52A111EB895F86DF5890FF2A2152CC80E83F140D31167A99ECA59503966FA7E8468649725CE7445844C2B3D8653E34253BE025E06704C2A37049BE7848296D40A382A26DD125A42FBAE85128E52AE828579E5BCB260B748E07AC06319E499B39B82F04E9C7E46D3AE937960F46AD04825C40511A2020E3A4AE226F12FA6DDB5D36EE8FFF129F6B93D7D7C6A133EEB2B14778EF0DA11B0D210105096728352123A3A92DCDBD0D01BEF0B5094DF176247E3F07A6BEA43268B8771DC79496CC6F89E4228CC241DECD21C492CB13DEF037B9A37BDA0A5BF32D079B2F8F16E1938DF2680E8777467A9C1F4365F6949FE4708B4DC59EEC971CF55BD901DE61A0CEA3911B6318F067E665BCFBB8DCF1A91EDEA7AB9617E880686562A001B2A232F6C28D49939D61518B02844656C5F221F76A809583290BC96EA1EB4F35DA2B9F3950F579D9BFEA9E30AF8552DB2B1DCCD9DEA5ADFD806D74BEF0A5BB6CAF13F06328678ADA2BDC7235F1120E2AE4FAEBE675E3B54C8ABB96F977D9607163EE6B50B01B88D86118714D2104E15533A8673609B2242F933B5EE381326DD00018B57B9719A615290713B8F44EEDB458007D30375CCB6DBEAEE6F3717210844603D3AE456337DA79F517B289A864AE9810DB705C30C691E993F9FEBA53F179663ABBCEEB79255393AC41B3327C2631673A8AAD40F536BA030DB4B55969EDED0EED9779EE9CD997EEE60D93F64E702FC27995CB40B8C49E85DAE4D31B7A00B028C388DC06DE5466FC7E1A81597594F0A736B97DE47A08835245AC852C0CBA7C203AF01E48A830554089F8DC1BE7193578E22E524FCA5F61B2DE3C3EB1214502AD00093A56A4FF320A7D26889742FBD20047C4C096A6C12CC20CDCE177E4D979ABE870B3A6A68C213286DF840FE9F068EC7AD28B2613E6B4165A1C708F113C37A1329251642E315A01C5B7889C6A7AC1DF8A003AC175A6654C76A2673A603299505434C03A9249B75EB235FCCB08E03FB2ACCD77D791C48612728248D359280CC61B57E39FD092F711D332A949F7AEB2557ADD5F0C65DAD42EAD02BA9AB0343F4CF90120628FB4B531AC413FCD5A1B3F560158CEDF2E7156A350CE31D0C0967FBB214A2B4E18AED6797EAE6F3A93DDBE4503588D026EFECAA0A46EA85D572C41766AB93B999F7E1115920C926D534E63818BBD5C889AA8F3AD4C19C49FDDFE62DBA30D9A99F24F5CB859EA05D12B84C628F2D6F4C0A82E5DE5F4E7EC92162F45AD00D3EBB4A19C521F813E8D9DE2F9678B73FA94EBB6913FFFFB9E8A901FEFCE4E8B19179F8A52E4EED95B343E66AB64F36D39E5A295B3F725FEE7E1E15A81D571F1C8026DE58BC6E6066BD43B4E2473E5BCEE34FDBA30B95ADAAA4F1093C6F28849E4343A6A89DCA053B1594395CBCDD7CC80A4A82763F9B1D853CA80BC7A0CBB1ED6B3F5A5D21DA00EF143E8FE0F24107EB1AB9D181BB99EB48A2CE828D140FCEBAAEF763A059995067EE9B192C2677A9693EC09825F15A5F2C869957A377ECE88785F281C38876A865638E7B1CF75F4F90A8C8B0469FB1A3CF3CF53390776AD01005F3B6ABFFC2145FCC56128DCDA8545A667FBC743DC3C60C098F81231E149D53BF478D0B870C85D3979A6ED301B605497D6B9755CA352B91A321437617B85F41E2C15198B2C2716F8C84C4EFDB1E96758FB7D1D2992A7114CCF23B92612F472407527EC1453E74A5139A9585C55256E78E3C48AEC262FE14BF98B23CC72019B36C60B0D0C14DBA7C41CC76BDD49E138B2B7768461ECCE29449A057F9642ABA794D1AB6ACEDDAAEBE5404C9E9A73E331B18594BFB7A44E9045C50B98806F99177618776E404200E53C6C8F867FA23988203EECDAEEA01C128DAD9EE68B5F9DA02D445DC1A4BAD74911B294AD45604306CFC502B532F5124A5EA1A75288709337424EF511E29405AF38F714186065A1054A666F2141A1DD3E9803B3965FC4C257D1A39197D662AA6AB9A8994B0D6A8E5FF8BE088C60B120ED005A7541C00243C52479C7770F15F5C714ABCA238638066C5F63A569725C698DA4B1EC470839E7ABBD049E96041CEF35B94C520E8AAEC6EB3141F65088E19E3A57B6E99D3B60C5DFD3320B0B78325140F8773EE494B92BA493FF94455683802B28708DD618D3040526AF7E645C2F6712E007660A2B55968118FAC2338E12E0E67596639AF24A98C8EA4375140BE4D6716BB7CD1A84674B2E3C0D63B8FD4838ECE4F3761F1EA901C2F277F3B74E643398695E58780A80DB268800A1E45314EB845EB74DBBEC06B251E94F3C671BA76382268EAC655D0F57A8232C7D3443A8ED09759D6F5EDBBE95075175CD2DC172E2BDD79B5295551B977C87FCEE423D5E92AE6EF679C939811301E78FE4D442283BD5C71C4A46D61B97FB2BFE22B866DF64CC05730EA420E32845B436E732250D5EDD974C7D5C472E13AAEC870D92DCDE214D6E9A1A9C51C0CDBB119650F056E0EA39F52AA10FA8E67F92EAAFE23E55CD772408A4D5E9FF7B013098DD76720378B9C979BE97B0D1196A1A61C24CBC54A38A9E7B463621DF2E0AA4D7523AD39844AF4E4BD73862D498F8C77EC4D8FF2123FE3788AB287B0B02115DACE0AFD944E418B287601704BAA149957E9D2C710C3D97D25819CA415D0E18AEB3365B6045DD89CA9CF9C63A83D9698C195721ECCBE6A6805436FEC5BFF073B05A3A6D4E56C918923BC6D515B6528DE3D708B1EEC19698A25BCE98C21874DDD090C3943BFDFCD0F26462D6B8D17EAE0996D42FFEC0732BFE04063466F37BF27CA582712E5B17BD1D6B3B1DBF3C80302D9B8B64360108B3AB545DDABC239D2DFD4DC6FC30552AE4AAE7C45A438A2EE03E9AC5551BA241545844EAE317D978EBF7D951CB61B9E8CF28D0B756992C49E936456CAE021C98F9212A005947DD348D0F6DB05232C249FBC93B81EBF27F13FCEAA445DBD44A4B9EE15AE139FB9E601A9C9C3B727A36B4191D7454B9314EDB2FB375243925F32AEFBADBE9A8D88B8215234C2FE751334CDF6C94059D1309E67A6BD23D16AAC861C30DCEF399FD7A9AA36DBACAF4180A61AAA1195E1A478EEFE8C367B85716595C190989455F43C01E92B4613BC9911F3C15990E059C41802CD7C8919283DF8715EE73F6476562C8918347CA4755207E5A72C65A5F2DB9D9BA09B9CC15B18D109304FB1FFF60E6F977354B319B570B6AC5B45D8E715D7045D3C97A9D675955B99855575339D73598058A822BFF4C1502DC9F019FAB296C850FBC7306E762CD1EB28E0A18E76EB56FA2C79EB10FB81F4699E6E63D39EBF29B40F28D4ABE1CE91DB0F75EB731247A06E49D2FDEE878565DA0366305F52B21608531910AE6DDC0E947CCDF52D67AF2B0DD2DBAA7028CBB1F7617E856413EEE11BDB94DA881F905082ECC575E249E55BDC67A7FEF01B9B84B1045AA3349BE0DCA9E1D72007E81003FC1550EAEB5F1352E91BC5CBC6F475D58C51BEAA9B1C5C8D081A824D67F5A877B009B4426FAB351D5814A83D5FF075A031BCE5E3CC9122E372997BF13D6E2AB1986DE6EF799C5DCC2583738DE6DB5C2C9C36DB87A209C0805D2ED97A6A0F22A9C6570497F9FA265711990B62B5E24049B7C0BAD632D3137D6C7B86C294E567D2B43676916B3C3AA5742138C61D31E7938FE113B4276AFA2D6F60015194B5480B2C3CEF60E234A7E96AB5B6475B3C2FD8597AC00000000000000000000000000000000000000000000050812181E21');
insert into receipt values(3,'651c62b3-fbe0-41e2-86a5-815962706a4e','61dae28f-9521-42bc-a4d8-8658f384c4ec','01a20e82-c753-7339-bf31-5097ac63ad41','5a768f47f838b5ef17ca0ad9d9b7677a3a0c4bc57eab24c158a93e22da79dc19',X'A2677061796C6F61645901D9AC6473697A65190F876474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782436316461653238662D393532312D343262632D613464382D38363538663338346334656369626C6F625F726F6C656A70726F76656E616E6365697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633735332D373333392D626633312D3530393761633633616434316B726563656970745F736571036B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3438305A6D656E76656C6F70655F68617368582081AA0B97A896A22238A49124B9A7473B29100E55C75A3C92DC577494B81F3A5A6D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F68617368582081AA0B97A896A22238A49124B9A7473B29100E55C75A3C92DC577494B81F3A5A727072696F725F726563656970745F686173685820E323E00C4B881B4A0D98A169A3FA5599748B57FDF7DA1CB3B05D0DF509DA6A6A697369676E6174757265590D2D60AD5AD84948DA8D36E073F68953B5F3C612C56FC4F15D114A95F963EF2BA60DBA5D9554B7BCB6705A327E0AB5B0FEEC8E6E50C4AC93ED4FA4ABFCCD12A212076EB668FF9154CD30FEA4306A322C8D4571924E0630F9E88198A29162679C955FAE15A41B5CA10E0FC82C768743091F7D8A4B3782625A45B228B777E9146E69642BC712866448D03219750F433472D07B0A71B68F0CAC71068FA42A1682CEF57F09FC21249F4592E75C10B0B444DDA1F6235825FE75A8B20BCA78F0357D168CCD898D74156FF9481D7E359FACA7BD5DFA1E45D8CB1FCAC82A2E61F11CF7A129544CD546ECD0DC64B52C7E00A84826648E921F670EEA4AA5F74CD0468F6745827A4C6851F28E94EEFD1DD90EF04B26DB5005D286636A68F940CC9124101D1895C7F3A3244EA7B97A289D096D282D3B87D97317B516C42B9E6BD4D8B7A6393193828F2F53B33CF7AB94778C03DED4FFA0156CF133DFAC237B7619B5B591A529C7DD5C99BD33F89C814B48786C324D34D11CEAA1CEEF32E9E1676ADFEFE770224913E03BCDF0A932089307E7595AB077EBA2691E3F3122F7D0B615BEBC4EBF50897AF7E8B9FA89BE51B558A6F97F124581CF759806FF05A356C292EEBCF25F525215A8DEB33FB6D0FD77F71E3D2A1E77741DA2ADC9D2D8D25CB437FB983EFB473BCF1703454956C4E0A664BE46A5EF1F6BA54D7DDF00406FCF3AA4F1FC4E2CFFBD2BECC4C67C513A2D3A441C641CC00EC3595AF54D97C3D5C898C2A78D5C144C1960CC3A7428D2D1AEB5A846598BE9CC6EB5AC13108BE6216CFC34FC9E2FC310D2C551E44DB243EFBEF1C0AF79DA4AB6221C922DE600F37FEF6FD415CC3E093A56D6D5C9C3F395D3324E19D5B793EABD8DF7D65FBBAD04185347588021859CF19FB211FFE46E8D18757B0D0B9428297133717383E2766CCDAD04C952A4EC820A63EA34585946F903A573DB2B63FF709BEF966842479C5CCAE4F809CC9615D504CDA57B76EF413B8554249D660DF72DA1CFC7DDD98FACB6153E98007AC855446D0D17B6356099A7B85CB165E389AB17F0DC92ECD2B755B0D0B5F03A6ED133E91A039E42ADA54ED9C269DE57EEA1D4BADBCBFD85E122FCED669B3F949A25030EB923F17A2839060709B97E78A9B5FF2E551F05EFE5F85C5BFCA58A76ADFC7DA6EA9058BC91FDCF39571EF87AA6F26E78A8C35E8258E94A0452CFC60D2CD19A7338D4C59A8064CBEB7B851D8D943E10B301092611CA0E6E890A02E7783F1B54509649F934728F37C2B2564B0049D497B8BFFA2E9994B5EF7692A94CD9910921144485AC504386618B9D22113E5928F8C457BAF756826DE6B8B3827A5C406EF12F02657639CCE8EA6729C206444A2D5235BC91F84DF43C14309FCC1120C029DB7078618C62200CE85E865E00DE938A18CF7453339E6352134EB761D8FDCB85C05066503584E3CB3DE222F38D71924E72EC4AAF41606FF0281A5C53CE948C1689B0AC1FB272E0C07CF71970449AD83BB19B99A5000CCDE603FBC6C09404CE8FDB3692F2BE20A826644DD1D4118264BE4218CABC7B7B1D3F3D27D231AA6702EDABDD1C5E8387BB66233D12C25C59D7CB075EFDBEEABD50191D3B2C0CE0A610FD8ADF1FAAE0EC5C55AED4F73D220E8071E3F52370469520E15BB247B64163578C8D32D40F72539A43C5A9B1DCF1F347FA2EFBE798EAF256EA12D31680953D35EB421252E2C79A53D5D04B84C6C952A5D4648A78A1D51EE847451C22896FE2BCEE9FF33ACFE6A0C87A83181737CE09C2C58C311D8C2499A2E477E83A9271BBAB3031E4A8343D7C886DDEC55DA3FD854ABB2EA451045EA3092220FAF5EC5405961A29CFB9A2DA13D8AE132660024735B11D8F166141D4D89F782602F691DF9E299821D8998CCB4E2087FF35FD28D1E4B5AB374240B94D5B0914BA82ACBDB6A4EC5B06E09F64B8029A9F9FCA1E2F57F0EA403530F015A2EFA3B323FD4C6E1CE01872D5654E2E781E97BEC7CB9FAE9FCF3EAF3FA4133B2A00F533E4A8858A910EE5D13D5599089BC767E916DD14B77A44E09BE7AF7E9C0EE0CC5393E8C831BC120086F26A52CD7164E70043E10907814789BF43B9FEE0C601E414255C47C901B6E065A32C2180AA955B6C6CFB4173FA2EA9FC590169ED179FCFB75DDA7128AE9ABB9A1AF40D837915366F2049BF5C8C2AAC82B00C9542311CFEEB86866A92415D5CC466D7ABF7BE44D0359179EE9F8538D082AB52A741BD8E874847B00F04C9F9520FE635CEBCD36E5EF4385DCA0DDC3619C2C99140503368BBF65F8EDB71052EFBA48B601AEE3218C0D4D19B6FF756DDE605B5AA835F464F163A30ACE12D787ED9027B7ADAA2B96544B86E9570E1B0F7AF55971D6086DC42B6851ABF65532F286D49D295B287A7757919FF9B758D6978EA9CA706AD978A5739918B193EB3282B6A4045E4AF256E852E51FA3476192470B7047E99A2C94111E462DECD1AAD2D6EBA7EE804D46C79FBAA80FD821B790FC85B02665D32460977ACE57ADE86A5F1B92D4E060CBCE9151AE53179F462F9920CFC8921D28821782EC8C22B1668060DB8FB4180F74761C066C273EB1ABB3992446A4BCD83D35A980A6BE978C769282CF4C2E227DB7697F017A95772626966DED6FDC1BE4F8B876A8A18D1A928B248CFE02D9FDEF6990C6DD49BA0AEA5934C5CAE3AE8E5D3552EF9251B6CD6FB5B0E08E4678C381C02D67DCCC4B6B046585304F184DE8994BBE18207BF8DC7D76372EF2E32036C4A35CA5CF9058CE59ABA3ECF80221511DAA983BF40F46131A746DDB6C21EFEAB7AE7213EB2CB0BB4557416A5F826F2E051B6EFFDCD9A31C597BF8F188DDE7643B167DC5F40FF2C147C777B5E16414611DA5136470FCC0D733FE34C925E3CD1DF571B57BF80926D3B5907CC5A09714163C069604EEB1AD1A3237F1AE7EE5453DB0286D3941ED567E4359AAA34992761B8A2DAF6F8879B23E9AB6B2634269463B8771F25D9AFC32B5B0327CFBCBFA9516ABAE1E0ECEAE1BA68E7C4F48CCAAE0484AD1D9F0E975A5663CFB5123C6731A6DC6F57701B82E1C1B0AA42C08C8A588ADEED0630340EF57C18484B83D5577345FAE198A726C09929124E54B2A8FD360E38987C7FD92A8B64FF70CEB96161FEB5BA199E7195E453E90FF65853052220C8E3EF922B3C49E59B47DD3910A3682687CC68D69A57DC323ADD8338F03244C4A2BF2168C100CE160A51290C55B3E8350261E8B56525264421717DD9F64180CE8333FDF9AD1490CED81E44F8FC40D5462297D8C62CB1A48B742D5B7DA4ECE1BBDEC7C283DA8C7F90CC0949AECB738A3A41D51A17F36C5680C553095E715101E6BB1A2C1A7E27DDED1A9C5AA92371262687194E2E4AF7037C3351E24D79A037F5F3BB28700CC446CEBCB629132F4DC9103E6D2F285FF35F33A87C6D6AA0AA912ADA04818001BC8E66E81B12227FEBB9BB2512836D02F0146FF34B7F0ED9DFDE09D9F10A91935C05C58B44895B1EF3922B9BDEB928718CA3DE41F083B333DAEEC487989EBDCA8333E6F54E7B0C5BC40DE501CA85B1AC686EDABB0E63D1AD4CD1E905B3DC2EBF9B3E4F72E4E9A4CBC3ABF3D8D5AC6CD314B07DE9F4D566A0CDEA85A63FA2E5C2C983F27A9F8DACCA082F1B08941904E07EB0F7939950A6E281CF36368F43D0C6FDF3D5236EC0B79BCC619E0F2C5B67289D1E8ECAD33200FE7909A1DC7CD1AAFB350320C3D11F44D59773147327444E27E8E7A5A8ED3AEF5319EE80EFF6DAED99857142F4475A0A08EFDBF6AE145FFDD67EA450DCB0294BA190178092A6A497B05BEC9F67AB1F189C78632E92CAD838089F488C214B38388C464CC92B467214B9C6F00D070A6923751CFAF2BB86798FF3C9F8DA278C95E49A394293657E70E8ACDBBE54DF49477AF06673E131F4D51283B553868EA5BCC66F0F95CA80090F98EFA114E47996815134B4428A3201D4BEFF532378D44F7A6895DE6100B87057F40F880E080728B8582E635B22223D8AB53E10C14068C7379961FEF44DADBB5D206A2995F961BFC3E949001D99999F0F9F6776D05FB160DF3B2330B79465DF5C0FBFEC3B3EF6A7065C2C8F320B3DEBDDB4A2A2A226FAD802701592320E96644FE5285E021B178C3664A1CCF91F62B49CEC75FEEA8F1AAAD65A276DC6BE3A6302AD9715639B26A008785CE60141E6DD878A360E603CDAB01DDA53EB9B64D8A20096AD34D7FBE65C6AC052858249C355783D51E035C6D4FB6CB568A6F076F30A33C65C1DF6FD2812A34253A16DA98A0BE59101CD5FB3AED4B7E4775A4DA985BAC59787D1BD1D751F1972A2E54BC6829A729C16440E74408E22680F519B5AF5FEE1D94C83013FD2C7E69DB8EDD914295F29D27ACA8AB65A8160C522D513642F6AA8F9C2C0442826717B30E05691A80A10C59BF0AFE99DCAF9B5B16DD0B14BC23E688B2A26959416A8AD01B7A5B5EF9F4F6BF7F8C3ECFBB0C3A43B2A9DECC809CAA3E37EB9EB9603BD743BE8F872A6CB341BA5B9564BC691F5C963233083F19CAB80DE5C5C9D8FC74E4C4F21996FE38D164A12E605F419CF34B5725B0D633957B672F60ECCBAB2298F7E3D9DCEC7D14521C0DACE6BEE471B2E39069FD068AEE95B884B5172C6B78C27D9BA552A94CEB65637F4B2FA28C8868D935BD2EC981D291BE2E9B5E9775382B023057D51E8754FEE35E188CB132B768EB5D2F4F5F70107273B5767727580A0F2FB10141627456D72AA040734A8B8F0FF225EA3DDF2145670788E9AA4E000000000000009151D242931');
insert into receipt values(4,'651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','01a20e82-c787-70b3-9d24-065ddd5bf69f','153f1e61125f4182e9028b87b6469a676efc42db7349059d19b2abae024febc5',X'A2677061796C6F61645901B5AC6473697A6518376474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782461613335663234332D326261382D343734632D623938372D34336361356338373461363369626C6F625F726F6C65686F726967696E616C697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633738372D373062332D396432342D3036356464643562663639666B726563656970745F736571046B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3536305A6D656E76656C6F70655F68617368F66D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F686173685820D52C6260C418FA51DB5CA59D543EA97B23BD106C9AB6D9734F4AA5C0DEED8008727072696F725F726563656970745F6861736858205A768F47F838B5EF17CA0AD9D9B7677A3A0C4BC57EAB24C158A93E22DA79DC19697369676E6174757265590D2DBBEA5593D188F0D0F277ABAA79ACAD65D303311476603B47A8A1EC4E7C17E8E163CE2563830F1F32AEF4BEC4C323C6282CD23D90B5862D95E45498791AECE70DC3F258884828D7A9664808F2BA822E6801C14017A5BB9F5EB29E96362D93BC017CE6AED3CA18BBAA1C78F95E0F2E6D431DDB89363A9ED2B754A53064604016CC7D338519DF8DF06044BC5379A771F54102B5FE946EC81790CAB455EE2523A286C35F2267AF47B0A4C0E6EB523608A8962D8CA1D3C6EDACAB7BAB25D7254F2115BDA77ECB86FF9D22DA66EA2DBB57A9AE91914D3E7987E1AC8103F92A841A78C2C5BB7E4F4CFFA70230350FB98D0A6DE0C6F9C09A6B64FD36853898932599B30C1AE6843F6849C923F148193C8A542C2BF24873BA058918E3ED3544432B1461DB8D5F04155DD103DD5D1D761616F5F79BA60FCF37A13D78F8180FBD375F708364BE7CCDEE7D51F48544702791E7956001E98EE50CBAF3FC7739A143DA8C18A3FC06AC48D3C2BD1C1581A04A6D2839DF3E495877779DF47E36395289599F9E29526E465FFA4CE0AD181539A78E93C58076771BB516E0123B786FE76686749AE238C2DFDEDC0127313390F331CFA44E6CB5D604DF22F08CD08E2A04A487AD3E743131482AB79977EC861A46530ABF361E4228C7D749B62C86073970B925212472F8609C65D37D0A0E9D575414ADA7631C95547B345C9E64B6F902665D6A686A27EF7C038A81ECD20E823994CDB94B1C826A4C8C60BDB542D600C3C43CDB09D739AD1BBC09C327CF6DA19F1C04659B6DE214827287D58766804D5B38CAF88880D55A593D01DE37DA49ECABBBC11D736E2191D0E4DBAAFD55329A589BF5FA09E0E11CB8C4731974407C469FB76353424E98C7F98F19B5898C2D8DCC1655FAC85366586D370C3F857FB51575A3860FF73FA1A28DC6B352860C18DDD4A80A225B419023B3833616990EA256A66F6C17E1E915EE0D4767580B8DEA2301AF202AB0108E91DE61BD541E55615A555D387F77DD5DE895D552CC5DE8EC0CE597CC22B6BEBA4D822F5B70563335262535D80E8EBCD1BB3DD4A368E20DAC2C11C521879F05E81A49A47F8E7FC3F6454F4BC804FBE495BCA935024D0ED2AC30A585B8576F8D8330237F08808933F333B38CA1BF3CF613DC522F0C901CB9074D8BEBF3EC0C403022C62BAB56DEAF3407838EFEC83D4587576C172DA159AE0814EB94491CBA8EA2633910939E88F46ED792E994C8CEA95DA88B38B06C976D996FBCB2526B2220BF97E112BEC226148D2999EF72A3349A97AE1162B3266686254E1776F5F2004F9116C5C35D3A5AE46275DCF97AF7828C24537005D0F8013A3B1AD17C22DA0EA08F480FFD188B037696BD4246AF03EA2A839F5DE2E7725B1C736A92EF9752CD41D534D22910AA6348CCE919E0118FA9EB705F4E564C58D30803302D633FBC95420DD8B4788B95A82FA145623D89F7BF37DBD45E16A9224890365D3B14C336DE50C1DFAC50DF730E16BF30DC5B94EBD1C316EBD8DA5C696CF6F58C79E7307A82CB70A86C23BB9184D07203786DD0C9C6E73BFF5846CE990C4EA59504A3B668E1368BCFA84AD026A6745D424BC1C85FD7EFBA742246915B8216BEB0BF49FFA068411AFE4281364D7EF75AED9FF47504C59F72240F455E524C2E37E10FC8B3916270441E9EEF0751CD419601C20E23E539735B7530BD3F509E2C4CADF81C5987012484A1B89F05AF890A602FDD6B97E2D278F7E9F8096F7A798703A796FE2229823E96A5786BEFFFBD7D514FB4DA05A638AB319C1B692222DBB1F87E6C74C6C787A2E1C501A7A0E74D06B338E36FA423E8FE0095E1C8BD608AC128DB2A34139D6178DF2D7B080B703996866414F563D1950EA52FF605C7AC0DF43BA4A1CD83F4F94E49D599BB9BB701BDF28C4AE7E653DA8DFAE9A7CA6DCE045D0631393DB23B92DAA1EA851C1D821D62ED1006DF330CABEF7BA862220370791B359474AF959AAC32B1CCB7E8886920B0AE663366F9CBEA038947554F21A63D4781C1FD7195EAE06232C49E566DC93954B4BB79D69032E5D9208D9E7C361852163A55B80F5BDA8209490CF73B46C5763512CF7622C0491E948470F858E13BD2AF205F53F65DCF266342588BB0DBBB2956ED8C566701CAD571A9906E81B6F7C5BB2E1DACB56AAE3E0710E28D81615AFD36E0DEE4C04D2359BC4881A9365905EF171F330544B9549F7B52EA696B310EC1395AEB256236E895D938656212DAA5DC54A75E2E27D02331E7192E19731345962DC0DE42AA31FD1665202F1FC8ED0652908312A68CC53EB67445785E4862FD8520F45AD2111EC632C0C775A86E0C870FE4962215E0F956E65B1D6626DFC9021739B00FF46479889B742C69FCC0F818CC73A7EF530800D3A5CB29A422EC78CCB694D14E38BB2702D9E0D1D570F7BFB09A04B21E15F38FBAFDFC678CE77A9A562004A27398E61719C565AC7F0E84D5412658F034180DB3424C02D2923F062A6E3E9C3092D14FA21408361192F9F79D22848D06EFA6EA56F91F1058816E152B965352F29F8E1555D5C533F8B12A0EF94559209703285EAE57B33EF3618EE63F6701D2355973DE2ACA58FF35F5C19572081BF03E466AAEDEF3CA75A90C9E03F1D3510A2E6884F89969C5FDA7D1C2DFCF3210A6E78641670A9255269FC945FEFAB2A60B71F8FEC9E5BD416E0EF1E5C110F0A16501E2A34BB94BBD518B506D14F37C64E2409CDA3B0383F6858EBC2348F8FA8CBDBC5AEB3DAF29061C075A0F863FFF8C6C2C1C755439E57A8D6E266855A2259EE6BB0A9BF453716BB175260D6676C089318C6AAC867308E56AE6430C58477B1D597EAA93F0D88F08604604F727F3F7104E051894FEB2C6A8E4EB43CC09F9DDB7D13A50FA3765D54E2ABF475C7D1B0C15E35A829A69432E23402208DCBFA541D16C587F24FA223784E6A91AC9C46CBCC171BD08BB1456F9BB52B7BFE0683148649EABA9B60C226F67CE3EFFD6A5AE77B237C4DCE815AEF5A81160A76EAEAFD77D1820E7A9E6DB626991E95029B0CEA4D2DB022659DEC647BFE8102D451D22B00528D173354CD3C048DEF1FC911F3184CB1F512233161007EC5BB7AD7F82793CFC788DF24EAD7A5DCE692F9B0402BB68EA6D43A4205904A07BE4BC25D4C1792063C698D8F2D497F9A48D90B6B1B322173B19109B94D035FC1E5122DF52EEF5BA2E372F4CF10227B291C3F75F789847C30C128018E7026C95446AD66DB047DDDBA9BA98E220034C29701CE0D694963BE9CF4F2A1B6CD5EE0A451379962ED4C94554A41AAA539C20376D77D78FA40826C3466FEFE267A85C2FD2A83321D04D4E758467DE4070003196701CE05CFE7816806B058FA23D82FABDBCA678853DE53AB2E097AF0F5448E11AC89C82CD4B8020614410B60636B20DB5B6BF3C225EFAD1BBEC633DB54ECEB2D2D5801AE2526E1E301857B835300B73786DD59BE769F29757CBA2D6E4BFD5FE836D49C3A68A4B1C4832E37EF00183317CC084328174DB497E5F54F788097BFB102AC7F52975B24EB881F9A8C6A1398F779070BE3DD4990FD76EC012F8C793D8FFE568957E6DEE30E29A95FBD7F7AC981CF6246730694BF158462D79A71025986948A91D52C2AB778D90E5C27D4AAF563164C6F25484A0773496538489EB2D902DD3387B238675893E27F76FC708902CEBC60892ADFDCBC0D81EB8F839598705EA54964BD6DD7A4DB634C83A44F3BCD154C70059337795385AD75742EBE9AA550287F2141AA3853DB5701FDD8049A1BE237805A0FC1121F3FB3247FEE3E2725D3B52D92F54BDC292D0F969CA505A3C8DB984E0C9ABD245A1AAA44F96C7A014AE29B8493BCF9427EDAC5E22BDAA164FC7AE4A7B358792561FBEB0C01466FC732D114598470E5B40A19975CF7CC06CFC4BEDA48A2E93B91802E3E2F3A6BE3CE4D25FFDAB03480166439F1E8F5B0229658BB2DA19338F7D2CA8EC023DC7F1D275C91E35C8A1CEB8231D177E29C6798AFD0AD3E00A7065207ACBFEB38C6BC6CCCCBC950601E9C036ED4DE3D973AA147D74C0BDAF54219F08DDD75BDAD2BA06E78C746892EEAA2C0BAAA7F41D94D52A2C8C2D33D237BCBD553A9DECDD87AE303509F2DB6D19220403A9036BD945E11697EB5C25AD16EFABA7EA212911DF8309B5194B1C4E2FBEE1DB67635ABD56E19DBF0B1ED16CEE4C7E8FA875ECB7013771FF95B401BBDAE8146E020E8C5D33A84C56566975D6309C1DE8D0C6B9FB15D681747621F21B5E4D261578B24DB297354EE41C3C2A9072F73028E6BE770AC7E01DCBE01253A7617AE4126B035CF28053FA1AFDAB95D33AB749FFFD964CF4C11175966FE370D10AF40E6F223FF0AA96D7CDE727B52A27F656D855335319C74BF3BBCD4ECB7602DB6175FE70CF7E3B71C249B3FE96B48DB8CE6B88DAA2E7B91EB8719ED681D191A47086087A13A8CE2E995266F9882BD7973EEC237A7FDE9B14386818D65DCEB248A30A7DD7F5AF81A66C53613CA947E54926DBE35AA86ED8D9D1A5D9FD69F3B9C1755EE1F1F10B2AB7217A29A6523B757EEFD198299F7BEC98E0E502033B1E334D739570A9C7D7DCFD4081C495A99D332FDBC1D88833EB56984FF20440508699562A77C803FF4120B7F2D15C5EA5B636A1EA37D173770884FFEA5E7763D0DE8C9FE94A8FCC17F067CC29145F23D43C0E08A6D91866818BF8F9FF025B5E6D7C9BFE0C1654618F90A1B2E55C98A5E0E5E607A7B5B6C2D1EAF3F4212F000000000000000000000000000000070E171D2628');
insert into receipt values(5,'651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','01a20e82-c7c2-7256-b9c1-2da444081939','efd7161dc60e2cc0493dab0c4c4cf774c0e28316597660d7f277b69a785ac167',X'A2677061796C6F61645901B5AC6473697A6518AE6474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782461613335663234332D326261382D343734632D623938372D34336361356338373461363369626C6F625F726F6C65686D65746164617461697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633763322D373235362D623963312D3264613434343038313933396B726563656970745F736571056B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3538315A6D656E76656C6F70655F68617368F66D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F68617368582079411952F28C18C5FCCDD6E2F0BAA4220F422A8DB1E665CCA64028901BDDE5A4727072696F725F726563656970745F686173685820153F1E61125F4182E9028B87B6469A676EFC42DB7349059D19B2ABAE024FEBC5697369676E6174757265590D2D7B326E82D55A6A4F2072367C1A612470FA8DD0899EE4F581958A997AEC81F93BAA88ED02DFDCC734312E2962A98169619C01838672F4541BA20BFEDE4EC92A07D8041FE339982DC6B2F8935C4C05DA08FE35307BC49290DE56AB4BFF46CB20A7827FE38BB00BB813832C0CE3EF63A1476E90F3B483D60BB32965C518FDCD6ED7DBDBF8415E8CD91922C496BAED7EFB887F11805690DF0EB3368D8A36624B5E37D8EDA863C754AFAB21A474FAB6E47755DB71243227C2999C8E141B1EEC804EA9D6B946E190156A4CBC67FEA7FB6AA661ACEC59E2A229823889DAC323045CF69D29B35DD89F7BFA629C72449CFDD6CF7B0A47224C3F3704A4E39A4518EA0DE309751DB303AF21F36FBE51CD6B91BA88BDC050C1A165DC449D3ED758036F35BD3C8CD3F96D1638BAE10CEFF194D3983081364A86D9FD776BA54260817AB196F1D695AD797F3C6DB3C86FE60FA6121AA535B870D88ADDC27265E0715A3306D0ED566491E3EFC33704C439B55922183E94EBC404F199C03C08747A2478A3FBCEE7045285B89BC5C64CA1A8019E6ACA0EA6FB8C8DC69B75F4C46E64B218CC37287024E4FC6ADA25C42EAB3D76B8A74E19E7554387FF7378DB414A684BA735083200484878616C2DB819431BA8537C92425C136E5175DF46D9B0176BFE0D3281C0DE6042B845DE6AF383D892EDD7E82A744ED24EB27641DA0B0A31F137E40E1E09E4722D6788AD7EB58323267DD282BA6D2DB0F46A3EF9194F20B55226D0859A33A429C60D687FDF7EA0D4929D8FBD1ED9AEFA8DAA8CF6359510FC6E2BE2D471FAE48BDCAAB1C7E517033D95C30766AA0731EE2529D39B36729BDD28176583B6A8A17873773E6318AA68955C62775AF63728905F5C0821D4D931D306126925D02D41A461B889B5F5F179AF8C3D192D0550CF9A6B6DD3219A226CC562918BA94E465B1EBF97A2282371FC7F7C80F362970FD7B539D0A37BA132750515C8C8B47A436B4F3C914B5C644F8017E1BFBCE0C6946B363283F496E9226A5687AFA7A157B7A36F62DB3DD5FBF35DB4952B3D620456A059756CC5FEC1FADFA3133F5BE7D9BDBAFECCC6156FB22C50DAF2EECF0292EFCF6993355076773BC1A0B05D2E4B420827FBCA620CE6207BCD83264021CE34D4AA20D6E49F1E01EEBA78EDFA73A80D67E289300742DCAFAD5203F1D49FB7C293B6C443E22100914D6826F763AE6E16B61CCB3279020E533B105527DB53A6524A9881F093CB034475E962F9E9A4FCC8149EA5C08AEDBE800E76F4E87861F12B085BFFE487C80BED5D2C685E723C3E2D9651EFA72CADD6DE192DAEAFD0E388265797EE500A9C89891D2FB0BBC7DD6E3A9E0C60C732920166F34884FC996703FF4E7F85E868F05AA7F749BFA319589757352400FD31E84646BC16F50A27C975865AADD9AA9E0EEE1571174E7BF2049E347436C93347328AFDD093DCDA6BDBF73F9D883971C1883491F06915A261323B5C684FB07D3BCACE171E63A92F67CE0BFBC2285B4CA7F4C5515F41D29C3717A3B2A14BB13B83B29BAD7089CF144F838A7482B12AC22BC3C856DC7935549154C8B87FCADA96FA8D30F68B4C216315A09F9570DD4BEB5EE8BACD2E70AA6C3816B05A7E0684F667B7164881CC03C6232935CE4ACD97E9EE3C3996FD8C3317A43924E8E79DBA7FCDDA51521D9D9D556C765AD970777A6BDC64D92C2B7C94C885224EE26AB15106199CEBCD848FD3CE4872688132AFE6E1FFC99A3850089611880FE8E70F7BD103BAAEE8CAF170B10B31E8C53777248182BAEAB3A2795D601FEC67CA310B9E1F4A7EDFAE66E34E67DF5BC299641B9529532EA877206AD3DF570BC451C2639022814F97014B5ADB00BE33373A08A83845D167B6044928BF4DC8FA339E6A85DB04D8FB554B9E0B3375931C8F5D3D4DCAF044B72682B750F4202AA7063D25B47360071842C77EFA017C67A28328EF8F0B8626A8CE3E0D09E8FD8C1365D2FE93EFD379D0F6FC19F097CE7C5660598864F47D473C5307FEAD55E9108B29865247D4406186B07E9B3C8550878983B7FEE89383DB7F15D583BF8F7BDD60AB030D207018E56F3B91D48C8AF1E12F4DA25830EB41A880B65A8FB8C64BA730A59EED819B729873E785549374AEAFF13AAA9EDC590B48CCD4EA6644D07A79964E25B978AD8061ECC88764421076E156A07235542101B8D6091ED2012C46FEC504348B5B92A566A708B53D395B37C077533BD51ADD0A300A7A17AF4BE68BAA880353172A05CC9B035143E43C9C8F5FC413FD657054655D9F2FF63E7EC6C3163FEB02D1F3D963674EE651B03170DAD3350D94F7A1B7B637E9C53BB2CF030828312E459330C977095BE7A44179AA81998237845E5725B3D5650B8F40C24912E47B36A7C51F9EFB4C1A15E34EF4650BBA23551CD14937E1632B083A00A9E1122A33164B8202E30AC75930DEFB0C354E46B6E5AF7272CAE3E1FF1F9E9B057F495F9A0D722E2C5640F5D802417C1425D9F785FE90AE352201D62AB80C625AEAA56E7955394F067C8195BE186220EEE8384D9088198363B35629C0166E5BF2A175F502D5938769AC2CA664BE8B484ED4ED0BC5ADF25F4959A97818FFFA3255229FE0089C9A23F3F708C5CA017FB3C50E4B16177825D067C8D1CE8DC8234BB3A7509773AB300577C270494F7BBB4A3568888417155DB6C91DD2B2B4053B9826CA3708F8D5B8E2E9B3AD6D1EB444BE0C37F9C7110D5CDB6B361F719AA8EEE2231E70700B3E5CEAD6684D7F8B01A93221BA86D0C9360282A20E6E5BE76C6C091635ACBEE76F29187174F1502B6F11EBE944161E16B71F9A4D58E38D245868750EBEF2659DA4456F505A983804FA4F2B40BAF3387CD97C246E67898C14B114495A29E0CD6D4EE42725B67EA63D7894342E6F65A311E44149F9B47B6D119ED5108F6B4D90C1D59AEF92E6128F96419AD0A5194ACCBEA9E6D45F0F1842826A998A04065266FB9E4EF7AA28D3DD53D69BBC12BE8419C8E6D71D04D3FD62FA6FDF8E2EABF81F1BE338B4787D8B72BE8C26242B0951D0DC0B9594F70C969FD0CC45C88CB64BFE08D78068FEA4F1EA41C97B534EF10719E007D14EC50C526CFF8A2E8F434D46B955E9838255660D654B7179A34B694256DCEF5874BC328DA972581CFF0E80A93DB86474CD348932B770AE7198E0653D30E381ED503C24624EF45BEE56BAD75C94B5223D8975517243D96756993382C023EF10CEAABAC1DAC3ED52E153FB6E0F410E36A9189C7FF91F81FE32E72E3D16C6EB97398B29B584F246427DC9C5D57DC7CAA7912877721BC5E201AA302A9C7CAA3BBCB9F535D10998A9E3F76D15C32381957EF2FC78EA73503DE6B69241713CB1DB8B47F4C08B1B52F5F2B0614CAF51D2693AE4E2A1EDCB958713A9433241AE24610B37FCEACDC8DFA66C7B9F2A0136889BA6CA50A70568E0ADEC31E4B7034BFB8FA228394D8282971DECD482E8931F57D04F9C72C6AE372E0C82EEB001D305A5907C9643F4FEC8DC3E1E8EE8CD5A7BC53FE9502DABF40D163A626D8C4A816673DC4FFEE59CC66FCCE24195A083493FD87E74D9A1243BD23FA6A38DAD6C05C4C6F6ECA5711F1E9E22A2D0ABC96F39A9D29F97F8C91827060DE8217BD588FFD1C6555D152449E8922268451E7943FAB0B5A3098DE0DA7E196D09C470C081FB2EE0FF60388C07D31F9F8849599F4BAF7FF99D3636690A072B0B9FC7ED8F2970E249E58E1CF48502DCC609F20BC2B2E7018745F3282AEE139F993FB797318B59CBA5C025E7131FD6686EB4BD3D2F41BE0848174D764803E2C89D12BC3A038E16D2E26DD2E157A7EA83A9D01B469F45F6E738B4C2C6338404DE634D74A6A359A56EF88021FA9BBA381B16C1E382D6B787F96A7D4C41091A15434E5FDFF1F65916EF14F93B38261FE93A06AB5634E009B08C29B06445E5CED095C6734E9D094C6D786A02316A5B8E166AACC6CB38DB8856B2F4D4E9AD4E3CE2D04D146F6374983F0610D5A0D487B3AA1E42F6424A3F2D49D9145BA0BD5CCA274E526EDC2FDF2059ED07C7867DD838BABEA8CE3010B1B8E1DC331311BC1B5A2529855728D83E0A6F8177A498880A0DEA18A34E857A92B799C274E6961B9C42B74C54C75ACBB795333A7AC1BE2E9B5E74ED4A9BFAC62289B51B0C17DFB1A0FF4AF9BC13F64723BB6160E5E51550D83D8755B592E3E2F75D081BFF7FAD250668913D395AE59037D197BA2E7E7C0EBA16A5EFAC1ADA230F2A0CC347A28BA1FCA42E66CD90A7D35D498ED318CB51731780881E3F7AE3C6FE7F0C32933D0753FDFB61895DD1D2A8849ACA280AC0EFE0EE491CD861EFC037AFBEFA8F9CDEE64DC6FA31BF4C36440128EA5029FF509B049EB5B9925922F4C37E03B82A736A2B558D4BE4B7A46B8C00752F499256E7BEA837F19CEE450D76722CA13E717B156466156483F473F9A19D4C14732BC2A0F9B2C1084C78C43D3A19A4FB0DC9AFE7B2D754AA8E2A66CD12490510E6E525846168D2CA3E25157168CB7B2BD0E93B9AF4C97A27F21273BDEC51DC521A21FD1582548A43098E1FACA5E3BCC806413626BB1A0A3F897FCB592AF6CBCB4148B182C87ED9D680A38AAFBF33C6D30612D0CF75CD22691DEA4532EAF41A5803D72647BB99166352113C1446D0ECB8F16A5961F51BC854DFC9599ACA1631BEA995B4A9BE6892F30D8048546E6F90A3C0CFDB0C263D4E5DA1ADDCE31F313290ABDE040818202B65EDF6097FABC0D5E2FAA9B5C4E100000000000000000000000009121820272B');
insert into receipt values(6,'651c62b3-fbe0-41e2-86a5-815962706a4e','aa35f243-2ba8-474c-b987-43ca5c874a63','01a20e82-c7fe-7177-a609-de7cd570d606','d8130eb6176ec78d69a11bf33a191a1ff19384debb8b1c0a5123f3f8e982fed2',X'A2677061796C6F61645901D9AC6473697A65190F856474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782461613335663234332D326261382D343734632D623938372D34336361356338373461363369626C6F625F726F6C656A70726F76656E616E6365697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633766652D373137372D613630392D6465376364353730643630366B726563656970745F736571066B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3634305A6D656E76656C6F70655F6861736858208E8DAE64A68D664934F8E3CA579415481AB1974FA00038EA58541E13CA6911D46D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F6861736858208E8DAE64A68D664934F8E3CA579415481AB1974FA00038EA58541E13CA6911D4727072696F725F726563656970745F686173685820EFD7161DC60E2CC0493DAB0C4C4CF774C0E28316597660D7F277B69A785AC167697369676E6174757265590D2D6CDB7A2D6BC51E3AF37A04BFA5E9CBACB02C9252EEA58682B533356343D9F8DD4217EC83D60ED1A28BEF86BFF678150225482BC5A16380A2B6A5F2BC7159720A7D25D15B2C6E24A98675A6D9AF33DAB90F7A91DA8AEE9DD04000AC96A4C406FEC3190EDFFA5F3C5DD18FAB1BCD625E62EAE4FE7F3D9EB97C9F3ADAA59824BAA32114847E79AFE9AF6FD09F1F499CF5CB5D507C48C2012CE3653C983798077E9A144048FE835139798287190E6C818B27A6985A27CF4307388240EBCE31195D5BD079BE75749213D42AEF1D1CDC42822846B4D95311A56A85B50F50718D1F55CC30F4D0C8FE65C70B7B688629399EE9D258BC303E808EA7F0F5256A402819469FC0F3316F5A93BDC4CA74761B861C38618399CE8DFEF47D6E532228CF9BC2EC564C1B1C732124B84A1A5C3959AF59D38A402B78EE6B68EDC1EA9029DC1B0DE574BCA41CAE8B4B06BA5F3A0C5D8DCD904C5533E946346A904B0335504C2A755E36070758620FCD6D7B6650713D4271A6E0AF8AEC58D0CB8412D319940C1938C8A446B66A47CC0D78B22BF066A7F04B1194E89BD0AA0C85224AE2FF07FE0CAD4A755B1732F040B70947E12F2099DADFDFC73D6102E5E4B61F22B0CC169F4D678BB74D74129F2E6AF6CC6CB452C9AD9CAC92D27A7A69E5066A2F5EBB3ADB098D35C03EF2794C4EE2079CDB712DEEF278A1C45A8E81D2CA7D7FE3889A028C7D4A501F88ED03777233D23F2BBB2FCD8272907DBE0890E5928B2BF82D7FEAB98D2CC768590EE6DC22F839FE23B0FD64075408A69452F2B2190E39FF623DA369D722B341FB7BC5C0DF4FD1AE776DDAFFFE979149E6B4AE62E86B96B41F429F0CE789ABA399280C720A7BDEC091606658424721F89CF463D661773BFB71337F0461555C592873F3EEC13CB0D80A932D5C6CAAF39FE3EB1987071FEAFCF5E1D5B03CB22FC64CF2456F8EA071189680E5C8269B9377973FF88E54001F3F267DB614A8F86CE928ECE83F9AFE5BB0952E7BF25D1CA7309E76348E4C464CDA066A14FD1134717D7565B463A977F03CFD50571FC3E36AB8AFB3E69651C8E5CC28E27E3F7F3BDA44888C5EA52F2AB41331F2539777C3F89891B25329F3EA596302F4B2E5DEEE675188463E260B65C76745A9E2901DC09D900E6C00ACD44D3EB46FFC48E5E15EA445961ACA18EB5D0C84F2302334A752B4AA33EB4F06CD60073CE66AC4F3EC6936966B0FA4A93A61C9A98F2AC790390A41E33B6A8B3F47C4815E3B31AFDA5560C057D06DFDD67D92B373941FD711A8D9799D41CD9A584D6A47871F972BA2720543487FE93BA1017FDAFA4DF99346AD88310423F2DCD4D2C1D645066DDD2059B4E302B3434AC949A2FB956C0324AB9078C5460257DCCBB181B397C0DCA4CC83B19AD82AB373BECCA6EAAFD482D09A4EC6767BA90B15D527B3C88D2CD0BC859FDDE6428A13A9C3C8F9692FB4DD4AED527FD07278F9DD210D70A6761264DB1749AB8EA81E9EA6834F75563FF7B6806569FF2C0BC7A7FD9F8DF8EFCBE41CA1B52731B713F6AAEC18F035A2C74756F2FA79551B35E659EB45962ECF41E5009099E98FE63AE61D2DDE709B72B7AC4B0ECE32181FF1E40A37D2C510A5216A52A824ECA09FBA1A4DF64D9D3A09FDFDC859304A03D05214A90D2CB9C3BBCC532A3EBCE29B6CF20C454C3BE87A64B34228D102D1677C691BC141DB93B30FDCBC323F9AAFC5035F38E792B07F1F658F26566E4A997A0D40A36C2C828178297ACA5C6ED19F95C11B0F4FADE680204B77F3320F9094983F8DFACE17FE909FDD71C8F3B670823BC49D81BA887CB6E0FA2AF9C76CCEA50AFEA6DE895996C20BEC0B4DB0B2CE7A5EE6CE648FC4B670A9187BE64D4558B148CEECB057C1F3D9E013ECF7C11C63273BBAD20B456F0D589CBC0C53218AA2AF0E9F93CFA4AB18E65EA9A211C58553D6161587DFA0E7CA2EF9F98E9B940F0BB75C26C09E588E3976204B4BDCBE97F71C00FC49332BED991BF865AA8008E192C9C7D4DFC91A69C69943FF130717CCE21D5438B4D855ACFC2AD8233EA6D7467D5D3F5A3509447FACCB32195DEF003CBCD7897464608110154B66B943B3E31EF91A16247FC6EFF127656CF65239C241C745CD8A364594A220100B72CAE627D8505A1C13156D83C7D8957E3F24B36CF580302B4C1865DADC4E62166FFF94457DED101E4D606A4C04DAA0701B55ECC1B261A18A19B785032569DB6299F87B8F087A144D7AD4B77FC5A2246CAFD0A2EECA033CB8637D4251FE4F4AE14C381C8DD943B426B8CF2C91994A1F97BAA70C781AE848838443EA89CA88C2F0AB2544B4D3BFE86512238242FB393425AC4AECA7D170E27FB90509BDBE32A8DC8A8BF985C2A8B9DE5DB3DB28A855DF476A81D5F1A4EE6A18EFD676E2F71BD4CDA25E25276A327D19CB15F3F11D09BED3C3A63130F279215B8A14DF335C6AB9E05170630A9FDB4CDA4F3698349C5D9BEAAB0B616B0BEFD3D47FE32844AC7A60C3BEE4F8E26BFD0787D2A53EAE34D07B7D31CA7C75B395B516E12A7715F19A03B8AF614316015312FC448C10AACC041702D8274096B9EFAB0F2A6CAD6209DE64E86952D5481BDDFE3F775AF3CEFA270FBD705C7B034BA6387BCDEF3638D2B779C001F6EE7DB9E914E99A7BF48C187C43DE67E52B3D54BA63FAA2EBA89A1926C15133DF88539460B8ED399D1F8795B4BB5EC3A0E27312D1CB8319C5E5024FDA469A0CF474831BE8114B4DE7D640652CF606E417D1169240C47C3654A3FF64ED92826AB897F48BA274A4A70FFEFE632768AA64818F20A5FF31D4277A3E75C1F0F2779A475D4E0F774AAF0D1DAB549963D4A326556F15A5DA2A088426101AEF7A09C0CE2CA4925D15AA2E293039790B3038DA04F6F7279EFB2C32FEB4FD024E34E6B077269663AF01A8186C97C472FF43E4AF6E13BC19472B6378B7A4E50F2D005883649E472C15C95C1F992C08E26E065EF206AFCD9FA9A01951D5AF68F84F39080DC50489C18D0F67D248C0DD2353960B42DDC5B86AD1BA3DF44BAF77B4708D26AE38C6B74131BBC93DA10BE07FAAFA3B3AC888D4CDA5E8D9A4E1349CFF07409FA1871F74CF58004F03163C37D0F57A7B3A19DA85E64622989A8DEAC6411BD3BF9839406FC45D1EA125426E2FE8806682944F0BB25A4D96E1CE7F268CD7387BC07581EA1849AFBE480B60F98852F6FEDC568039BA20DA317445D0FD7B5A29915B4CF0250C596AE58C10BFDE6962180FEC74803355C9321C04FBCADBFA8B34A502CFDE9BB75595A80CE6FF7B6C1063238FCA42228D44FA72F37BB6680C4186B718677C6174A80C040DAB7B41CCA6251EE9BEA21797F8DA0643D93E21594EEDC8515E42FE7E293D9A00AD3679CB7B66922742DC91B64118D83815112D4F3030745F88A0AD3BD96AB4D80FB381B875261F67F1EEF816A8F720F0D1DC99F2B3957B105676456025F96B12B7F727A43642D7F30902662ABBB78D5062E9DAB5D3AFCB622B15E3DD8F803965247D18F4E406D9D8E0E51BF8916A662DBC550A877A13A4958D2912FFC6054B7AEAEFFC945848733522A0180E5A9C9003173AD847AE683583C94EA154F0162571446E7752E1D92A1F36F9EFB18D1296154CDB650F50CFE7E900ECA79C5185724EABF588DF2579F79BCC052DB28AA077537E89C6F35D7C7D8E1475E49603F4DA9B68F4469E4FE1430A8AC11375F9B13D05C33A8127B4C7953608BB6351D16BBA3B1006CDC047378A6808A65B134775001112486CF256A7E0D0BC73EDF55CED61AE132DA1453D064F9DD087790B7E996C45B95432C6ACBE4498183F4A4B4321B081BC75832C3758EF85E91F3DD5BED24C0AF621B328DCFB309C2D0161371B0057F86D62BA8CCF7926D7F7A6F1BBE06D085BF29C4036FD323F460375B3B8E4BFB6285A5D1E2B369103B43E2DDDE33E00944C8801F61F599B282153233B3381806894E7297E750F8CD2D3BE61CEF0EA9F7A9F79703336096E7DA4B90A1007F1C9EA18BAE1C48FC0A61ABA93CBA332E82F16FA9AC15948EE4C45F06310331C47B1E38EC9F9911AEFC937BF2188B9F6494E194A1039D58E3B46237A820033A4044327FABB0C332385CDD6960417FA86A749F95CDD65B9749D3F6B655CA92EC7B16F6EE2F5DC0515DCA758762A52A07C75327084CAE555EAF3DFF6E9443C242C526E6CF724F1B347398A0F323A3B8E56CE44F37CE70D5DC894A544177D87181D09FFCB0D70D43EBA3AEE6A9BF6FCFF273F66BF471D861B4E77A0C1C1690B93CED1D2A118A7C073A7A95F6DB629C71346C54F228FE6E9E9355CDBAAD4ADF9B88FC1ED206233152DC4B9A2B76431A3BA8EBC73DE7CB357DCA18ED99CF4A450938C532EB6B8E490A5500A5D301023E9CEE1EA3D892DF425CF05B655A543005A955289842BCA826C29BCE3D51A49FC2469BB3F7D2A95732763D7FA3277ADCCB51D7D2E74F783BEC4B859A0BDA26911F8B815C22E33994087FD4C95AB577B11FA908A10A0358927F3437236CB8FC283555E7A0CDA1CEE8331808FC98164726ECE20066FEB23FE1293FF06828859FC0317E51A177C7F27B589FD25F07F7FCB4ED671F66383FA07266F354D62A3A6CA36B27043441AA10E41ED21F2FC2F907D569AB8954410B1B7C65F07D29944A22848B5E239188E4495A6C1D026D20026928578BF3A5EF59649CA28980C1A2B4A50A1C4FF1B2631AFDA44789AB9DFF54A4BA1F23B3D4E6068719FE6217DF0000000000000000000000000000000000000000000080D13171F22');
insert into receipt values(7,'651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','01a20e82-c82f-749c-8c38-c4cdc9ae896d','1dc2eeff2f78a803148fe2713065c0fc4a7cb98019f36278d27758964cc27c04',X'A2677061796C6F61645901B6AC6473697A651901E16474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782435383630353039332D336534662D343636352D393534322D34383733356639383334633269626C6F625F726F6C65686F726967696E616C697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633832662D373439632D386333382D6334636463396165383936646B726563656970745F736571076B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3639315A6D656E76656C6F70655F68617368F66D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F6861736858209C0019A6A65D0023EE2788B6B5149D4D1CF454DA30BD9CE40BF9A475342435D7727072696F725F726563656970745F686173685820D8130EB6176EC78D69A11BF33A191A1FF19384DEBB8B1C0A5123F3F8E982FED2697369676E6174757265590D2DCB5CB827E4814DC06EE6F09183A4D4570E5B84A81E9976D3E37BF2650A6232CB469D8641FC2A6C6D55874159519CDE7FBD0D219C9CCA7033E834BE7DB8104E01D114907842C730E8078996ADF9C3149C3987C154DC6549FC580E36E6309371CA7D4952866CBB72F37E29D2D0CC95B16B85A340007C2DB7C60C87F7590AA0F755A665C015077A84143EBB4B3033E7AD0788EB94D574E53F7A3947BD11AA050745397475E45D1F9B8F9264E4907B8FCDCC41F6B29FF40A4B031E24418E68D303E4D45401500C02F6683F39D1801F95E42F2EEF09D71863DCBDB36A083FAC8AF984C49DB42CEC86F0575EF75B0DFF1690B3087E306D75E3CE845FC1A14BFFEAFF1709B765CDA204A4E76553BAC84C5666D8B2073E4566B7E93CEFC15748576E338222F1F037AE127CA74B0163607F71028CCC10DC5774C663241DCF4A0C64D4BF7957584FC2F4305BE6418633AE8FABA387D7ABBEF7CD2653A051820C1F434D556E799CD94677E724E0D85D3EA4CB995F30D4FEBC1428B080DE2437A0CA404917055312432DC892D76545226B779B320DB3C2B8B69F3ABC71C872FC774CB34424BB79F20168C254C303846598DA5032F553A524C9AB5B855DDC42FB2DC2844CBD8A9DD8086F097C6BC4860F4650F814D4C683C9237C90DC381C80952B387D2AF314DDA82BFDBB918ECD4B0AD4FE06410D0328E30F79436EC78CF452E5DF23C46FBB6E37BB2C3D48CB7BF5E9CE8774FD35FA06F9373CF2A34166BE72A011D62E8F5177520E49BA83E3B5C4DAFC5281C803BE6EFC7EA9D6FE01D02970DAEA3FB5EBC79EAB1DB9F1EBCEB77B2878C02CFD2C7D74C447439A2EAC7D953E23F8842CC5C08892A3AC94316436E76900D64B7ADDB8595857497DB90D03C4935782BCDE02D54B82D2311EA6BD582042FE06F2845201E39E459066E1FF600C6F5D9681D8AD1B94D8D2C464FA5C5BFC6370ED064157844647AD369702B1D3657F9123AC0542A8FEEC01588F904FD6D0ED931A3A5B9202842352DA7415CD688CCFC2AA5250EC38B75F56A8DE0EA8883A08461BF2E10C0FFE8B15EE9213C5A71380C92535260DE0F8BC84E49A5AAE540B985F411FE68B1E0CF24FF9F93DEE820F82792C03D93D16765AAFF1021B54CDC7C5AD17E6EC49C10E80DD3E17012AACB95B69066E3CF5FA41082D6FC88D15112B3697DF44F8D879F04683BC281F8E7717EA23E401463A91DA6FCADE823954B684D84BBCC70325F83B6389FC223DBB001E07D045AB5B5DE87E561E76587C1377F0C50B586769280EC9B6BF2B6D9480357C909946C6EFC1E7269EB461FE43BF49519B00F1C88C306C99D01931EB3F08C0CD5E25C8E8944E45B759586F0484C3FAAC3EC619A4836142CF2AD6734CB861B01066D94783E4134C91F6AFE861F3BBC0555FFD5A9BD977BE1EED5CDB0B3D2A55AAAA4766873623ADB7BFBB64BAB89924D7E8C6E550B900B2CBFD554DA350A27C757FA6BD22BF26EF556CA94450CD59C9DC04D92F2A345607D9D749C0E21F5DED15CB9F5153B7A6EEAED2932CA90CEDD8A413712C3CE0FA34BDE0E113061E6767A1E62103E08F944818CCC89FBF0384019CC4DF37C751D97F276BCCFF3DC9AF2B6F1F21B8A7CBF63D4FCD541AC86DCE9226B28F4C0611780B2E3E79EC1E95F31EB8B1E36B8DBB1B3A69B2F7991EB1551FA21EA120EA8A6B5516AD240CFD73C33FDC9C47E1B76C16DDF0904D64D9DDB82958D436F8A7D117E8928BB7FB293719CE73FAFBA8A1D6C2DCA69F460FF67A461C71D1159264AA23DB58FBD72BF904989553690A655325D495064CAB426BF2ECE39CB670C27E1D3CDE3831EF6EDC8951F3A3BA8C00921E9A59F4DC921C36C01F597214ECA71A76D13CABC75579D8FCEF4A2BA35ACCA6B1BED7954AFBFA1ADA95F2F393FF5666AB70B8F560A9A852FC1F173D57552BDD63A04E48D90DA6E38CD99DAB1B4ED8CEF106BCAF1913C7B06B8CC3940A073DF82CABD3B687BFA3EB7B529D14D044B867DE1CB1628B460EF63C35CF35CF74B5774C7A72E1CE0D6EFBC725C205DFFD663D279CCEC10D9C3F3D4D5C1DCEDC3B4C8B690F336D46B66F7080C3BF7C498B4483A010F3BD169A53485EF0C9E73D3D348484D3C9A3E3119CCAE2A480B19D6F7FC9586CC3A98CF484C55FAAAA0201C68FE35719C7F9866FBFC28234C9C23D2AE7C0C6E505DD2B09DF1269765BFA1C1AF01916DAAE2528F4A76820CB878D98AF0E34A3556AB1D0624197004848DE7147DED04157D14DD8B6E4ED07959B4A5F0FE5B6F3FDBE45DB1435DBAF1BD6B68F67AC3FEE9069795FEE625AC231B334C5EB596AF0610B3DC008FD23246DFB0CFA26FD2ED425FA8320EBD30F2F805807F107B008CEEEE736036A432A6C9AC64359EDBF3EFA9BF3C3889DFD1468BAA6FC210C7C500DAA409E9AEC425572B05A130F2DCC1375798A62BD1942E4DF11DD92E7135975DB694BC62D97CAD644190E9C8A6D5BB1F9111C26FD188FCBA62AABB2A5F0A5A99EB7AC038D5E4B6A14F1B00F1A212F334C0BC87A166F6AF1A7B28615EBFA1350538B9AEFF067FE8BD07853906F5FF8F47BAF4B73A708A4327486327E49B0BB1071F27B1DE405D03E52A121FA2E633516C509CBCF1E09BF4F9171BDD4E6959972B0EDD3B57A58D7E372838DBD81D5370E5F9BF591F2B4AEC842C87D1F3392E810CC57E92163CD41D3BDD6491249B940DD4A53727BEEC88CBF6EA58C6F1D212707CE79DE85203A3FD13DCC09198DE2F43ED32C3A3A391E7ED433A13DB5BACD6C2FF09ED46194AB0BEA08F29AF8EA3BF2DC826CBB69320D44CBD70187CC63728C36B48EAD64E1A17FE869B1E89CF9F286159472F711278D9B2518E1275A3565DC1965E9D4EC7F19994CA872E95D859B5A42F676610B0BFCCCFD371E6C356B2A231C0CA6CE251E2BB27CD90D162EEEC0119B772488CEEE8C45EC5232811C7732069B031FB26B49C4D324EAB90308A4E150F872DDAF99E358997E6AA24E9791F669F96741DD91339286EEC0597D44330F9B490066ED815365F1FE65BBE9975F1E97467B3F992BEADABE3388858015B6B559931FD7E6F659AD970139C336D4F72D0E74D2422C294446A89438640805BC69CFC06B5A0A302AC1C53D6B3BA9CEB5178B6109188394CE9A756E674D7B02B3D4DB82AB8811EA46D07834EC16DA0D1C71C61E425484B499A16F2D41DF138864B2F7EF377BB6993FE19CB103A622ACCD8C58747DF21CDBB8D8622FC0925CC5D2A2A7516861C39A4B3DF1A7F02275AF1CD42DD5F0419C83D47003114BCE7F1D33C5DEAA12810A2B60A2DEC3D24F7C4E300A4B721DFD74F8DFD37E2A3545C63C939D6AD8F6DA1315FAA1E1EA1CBF73E5898F28923F4960C7B2B5D5BF5E391D00054859B4E86DCBDE9E0ECC99511F40ACB7C368FF9B73E2B5A21F9BF510853B481C5FD6AA79E4D325631939DD651B9994DFE650AAF4F0010FBCA50EAA66B5C9DC289A266280595D47D1803B6A7911048BAC50A69067610EA5300F9055EC8DF6FC6DEDD7FE4D07A625D8E1282674A100FB8569060A5C22B471B2AC843CB13EACAC4519D4AB106280433A43199382E50410E0DDED87A5762F3EAAE57EC58A3388CB6CCEE406FDA1B6751E1365452910FCDE288F56C3A3B307B51EC883F5B3447DF336B87861EFF679AA24F49152488A97A4501A43B84C80B219FE5BF44B0B994A1A92CF834FF92ADE91E154A51766582BE5959F9A1C473936BAB29F38D8CF8597E8B373A850CB37CFD84E15269BCA3DD95BCC7676E0D686390DDA2D5A3892605DAC2334B5F57F10D4B800D096D387A4E42A64642D58452ABF26B7A98CF0FD4DD72A30E6571AF173B785283A1D75BFB8041BA2060E13C174799FFC2FAD796CEDB5CDED2B37C5B953FA9D8F5C8A60046297543D148471DA01EFFD4B76A67C51DFE8CC893FC557F2209195D2990E2B2C495C7597ED0ABBC2EBF1A874FD57F9BFB456B62B80B4FE972CA9569A6F6CC78B3CB8A7C7AFE540C1D588BFF274F783CD1C2D3192B7F45D52397ADCFB36B0C850F1878C506C7A4672D93BA2D0714BFD8B9824064BAF7102A75B5D46DEF5E974EB226861FD30070356A223B6ADD7CD2361F6FE093893181751DC8F2F7E71D1C8E43A825BD6C3B6DD3D8441838BAEDA1E1361A348C25E813C87BFB523B316F5D4536029FF71CD335FD9ECB41933B8B91B59A190B9D646743873088FF01C44823CAB88339436D96D828AC6D1FC2C90B87002455EEF1EFD71644E0E1B3E68F0CE983C66490C51D5003887951BBC2871FA43BB40553C0D96E9D11FD888C82AF806798FCE114077D4A4DB52B670D00E9CB3FDAE85ECC9336B0859A54701D5268B35D4E6DD9096DD5F4B2437D2F5CEBE89307AEB2F966E92FFE92F4ED3FB7950ECA17D39D7C31A2F3CB56D858B34AFA2F65B243ED70C5779032BF4C65477A584A82400701BE09528D2992906C2DEA3BB60193F2C8078EBBF0FE299394FC1862F19E4CFAFC6206332A2BC77C40CC92ACBB4E8F6ABE7E1C07FC1D6EE6F51410144677B75858E3B618207A9CEBC6085C963F9920064FCC3D720A8FEAE93AFB23F87A445AFA4A2BF4C383D9AC49AFE92655E60CC481409FCC7E63996DD4134450BA21EBC55299EACE04CA316A383935AE0D27EF78AE43CBD67B536225DCEF2ED03054C8CF925C11986F56AEDF24793A32022263B435E83A2B4BDF65A7B8B8FD4F1F3F73EB7E1FC296687C3CFDE428B8CB2F961A6BBFC00000000000000000000000000000000000B13171D2226');
insert into receipt values(8,'651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','01a20e82-c84b-7376-9eb8-ac60baf0b170','ce2270be3560633ed49a3c09549789ee78e120157cc6afa50ee5f6ee2b83ff54',X'A2677061796C6F61645901B5AC6473697A6518D26474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782435383630353039332D336534662D343636352D393534322D34383733356639383334633269626C6F625F726F6C65686D65746164617461697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633834622D373337362D396562382D6163363062616630623137306B726563656970745F736571086B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3733315A6D656E76656C6F70655F68617368F66D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F6861736858203A29892E4E72A31DA0AFDB22899395E2F339FD557831EE1274B4E10A126DBDE4727072696F725F726563656970745F6861736858201DC2EEFF2F78A803148FE2713065C0FC4A7CB98019F36278D27758964CC27C04697369676E6174757265590D2D3E696CCB16EF83EE43FEEDB63667E72C052BD1977C27E3B100F687D400EC456B9AEFB76FFAC28C34E273DF5288019ADC8B5E7A5EF3D63806801041B097752C0827E83AD418690336144E97B9A65D0A842D5839150FD6D8426E8DE14FDEEFDDE7493E3D370F8AEB6A52721D642F4AC3FB953168715DF4AF8A2F630F1C46680293BFA095B4BD78C543667AD90384745C6DDA249A67006E857681CAE773E4676218BE6FEE491B61C2D7197483AEF06EA201759E513746E2E67A0118793272A5EEC69FC0192DA00CE0D428D583F0DA644C87CD94B08212FDA3C837DB041095C2C6E4CA5FD5A4A3968911AD8AF66A7B644306EB6DE2D97CF1BEE5DF885876F77C52E8A7A08383E05D278BD2F1463563B60610B0249BDE0BFF50A584254E6DE7E2B7755CA736786E9029CA2538784FF797119BD591269EEDCCE9B896C38CBC6800FF2B7D906C27498AA1F8622D16DA12A1850366CC0B8514947FD2CE6577A08D7508C97DB4C6D3A2BCF4E62202375899A42659F9CD3696C201D8229007EA3CF3836AE66D66D82C98358E15EC4AC51636BB9633AF8DC121FB8791C1A5FCACC5A342C5E3C94B7C557B0EE8180D989F176BB0D928FE13DA42D42A87F3D3F20E3EAC4B63E88BE4BB12BEE4EC527A8A975D3246EC1DAAD6921AF3FF66ED1EA4ED7717CD135AC814EFA22A9E128D3D9E577ECD60C897C08FE84092D70573BA8763D13F8960AAD90644C850E43EEBBE763479CD590E47584D0344364C496904D16FEC741A741A0D57DBD42B263F3346DD7983565D228B76DFC9839FF82ECFB7AC5CADB7EE18D839B7035683A7B931A306B39E4E1A0655AEE66AFAB0C9D527D0FCE2AC234FA8982A5942899B1FA147CE0B59F1A62525C48F5724CBA44C988D1B18E23F0B3406AD45B6F849ECF023EBBF6D0CC7C477DE8B13A392A4FFFC330F6B44CF56AB700AC17D16396CB2AE34E6B70A859E087BD43FCA8907E3457C641C6B24077B554CBD852E753D54779DE528EC2D34F0CE2CF156F86D242E1FBDB7D0813A07C68BA79022A287961BBCB84D4337319B95F295D2AAAADADFF79AA66068B3CDC3DFBFB77208102537B17D02555D04BF078538C1CD308F3ECE69736BB65E925F7E1859295C9084DBFC13098871641A0447DCF70B01A40A37BB9DC1C5BDC91EDB38E54769BA6DD007CECC69318CA252687DBD8AC9F94DC91536224231968B33E0D67E6D43CAF7410E71DCFDDC71282C57E0B81E8A74832DD293AB8610CF8C96838952B00A60F9268FBD0F5B366F37306B1A7BACBBF658CED970DDA9691F79D891328B98A5BD15232E44AC1777CCF35D9D54B3720E896B32EB272D25BCAB734299253D5CFFA97EC11E0BCC1A250CF27F43DE513499B1DFD73934C5106BE1FFE1A37892B2246B31390E9DFAFDEAE451B3D53F786D234460DEA93473ED9201DDE55376AA58A848F5A340D925D8CCAA0350546EBA4887B1CEA63D2AAD01BA526E359063C7D1EC691ADE784C2D21C19ECEAB3896F010DCEC2568E31C4D014BD08408531A2370386E70FCADA9319AA00AA506467F86501E5E3A22F700DAC988385A5525BF9B2F1037C74E9C8FDB21F049E0AF00064BB4D2F37F64830045F1CBC423C55D55020076BC8D969B15AE6659CCCAB50271C7EB66DE259A8FFD813638EDB33A6CB6A84744162C4B6E4947DD9ED4ADA45E16652D74B22EAF00B64E5F56D0B98AE34954320A6CAC86CB3F34B1DB348ACBD6AD339AFD01A7B119C6FD9AA80700E49B329C5F458E256A5FBFB2EF94462BE9D325310F46548F67C162BC9DE001385D131C2276EED459E7AEF80935F513698E94CDD7720D4D6F413BF4FED01104CC11C7525BE8A95A92DFB67166CBF0B699F81F7A785C6E853F428069847CF43F968FB8D2742FC8B939F3426D5EA3F948513E4CA3DCB1D5F1E9C71876A0E18C5532BFDBEC0BE03F08A648457C11915F0955AE402C1A9DA56D7E13C1FE5EE9C5F5A6E9C457C9F915049BC1C0A2186EA23C2BDD112945E69B558307369957B4951E218985EDDCDF163C3AD5202924158CFE93592B9D7C5AE9F790C38CD0AB9128E5535A4B44229EC6461D8740749C08E683EBB31EDB9473816A30D49AA2081ED8DBCB61DD43A6C170603CC4189C76479A549F9EFD56578F4D7CFCD3660E52C639DD4FA1ED62F29A5CE5DE08D6E7CB76C595E93DE41E4A998B2EE860B51BFD9B75FABC32341F9B54F75F866EF5B3306A0DA70694468755AF373610E75117C5CB39541EF9A2F6BF20E64F32C91C3D3CEAA11D7522EB99F87DDBB597A9016E6AB473C13738A452CBE04FF0EC56F4073C9A42B74F761101995CBEE8108E020F924BBF84F82093FD6C420E2CFAD7CF3EE35D1830E04866B3DF8AFB7B5FE2BD4552385B11690B0EE1B4BD9C61258DF796A0478AB0EDCEB4D90331F55FFCC5A69F962EEB601548874F9250017321C7B530E3DA266E1DE082B7570AEBB23EA576D9B378E120CFD997E82F380FF07F49CB1D94091EDA52EE9A6A14C318D22ACC1C5488B09341A7EBE20BC1D9BCB1216AFF0D150CEA97E9B820743171F6E58E6B7F8E105C2E5276005A9206FBD15A4ECB69B6CC3017927E9709E90EA4AF1EE077659F005267554FEA989A24B6DDBE29F0A254AB5A4D8554C3BA03DC1A40E24FDA746DD248F3572CF3B50A3514DDF463E279863F4C3731FF8DF383CA72CB29FD1C28697655C2F5CFBB8235FD5E850BC53FF4DCE04E852C936B0E742A3D7B4B94E5C1D562A8CB9A7834C0E097FC8339FBA491DC0A705073F24F23757A9E6ABDA72FC056AD5202390BFA21B2192C2BF6CB8E249340CB37B82DBA95AB7831DDDE7A7FFA12FF407B64B167D33D4208C576B8C1E2267B649CDA0293EAB8170728E87F2E324AB1C709008B8C307C99F98BAC28267D9AA4BA0EEDB54F714145998B1C40BC72759F68F4F73B29608DC8B592D463042B3163979D1587B8DAE081C7A5C10CB56AFC8D585889309456F01D82153EB5F1DEFC15AB19C2A5C6403C1B53DA2C25E6B633A18C03915A11A5520C99659BA5DBB27100651E386D6BC19A00284CF1DCB4F752FA739B6075E341EF8326AC27615090BCC11E458D6F9403B0C125507F7C089AFDA3B633374386B3F21137F7C08DAA84F40612B0AA16CDB3CD06303962F7AEAF15CD60640B3A3CBE95088C0911674A58066DE0400C8904F0FEA2B2A6D5F4CBDF94F83DE5ECB738F45A3C5BB4AB1A5FBB884B66941EA0F4EF6250CB69CD11ECE1A848D1C6FEAEE099CBEBCCFAAD69CBE7FE6E8C65A3AE2485FC7EC4D80EE955D4EF9745E813816A5C1E8B41E047A10EE84C9E20D9116D25DD243152133C839BF334883C69637BDE7061B823F1AFA9EBE913736BCAA0FCCFFF43664D734B8072AEABA2036442BE3D12798D3DBA38F3B688FFBB14133C618F52CDF3C5021C53EB3BF8C569A8A51857635376232CE2F22DBD59F4BF81C79E8525B852489708628FE4A212609B3500E75D30FF4E2C9E7AF219C4E06EFD34BF936BDA1D72651C213591EBCC52FB4DB195A1A372E6272EB0BEDA5C63910971116B25E7572B80DB4C21B9CF22DB41293D3D51962FB76FB71222A638F994300108C99E69E4AB407FD656DC27FAC9556EC30CB9DCB6BFF44F90EA5E76DE6448CD9AA3F6AB305A984189FF2C100486BC9BA42BBF63511037E2B1373389CC33B09324A3459D6F7956A32B51936A02A5A7DF3599BAE3A0E24DC5F82EE7BDCFC013A77B13FC69E7AC9FDC63F2A29D646572E01EBA2DE264ECF850FBF31FEB268C76D63ADBA313AF55925B58C277FF80BB99468F2C4DCDD2DE185DE7166D9D48FC3699C94CC35FBD49E55E41F79559882DA2B33243C05195CBE2B28392E14956F06452E882F5F02BE35D60A1AE18ED1FCA51550EBA3E63CAABF8790AF358D1C172B7BF5777D5CB2D2201EBA8BC23C82EB5783FFB7B449052A9282848A7ABBFC3F6468D8C9D648C5C242782C2B7DFD4CF32CF7F22BD938765567874A4454ABF4C7FEFA2AF671349C8F0AB6DAA0F893B57E7E910B5015A6A537E5DDFAF4EBBE18A67E4A7C24DA80C7374BCE1CC69F283EB4478DD0FD9614360BD28CF983A80CEAC14F859DF3DF47CC417C34A589B61E6BD43BCA35E7A16FC934A8F7CFF4FBDF62621D031164735DAF13FC001FBC0072134F44459840DB45EDB6FFE0AA3DD1736BF56A6797DF7000ACEC9D42869BEA9FD622054F8E8F5328D5626BE200B50030FD5E6C7B078309EA55C0516B25776AD207684CE02E0148CC646E82A8E899E813D249E11CF6667BD6B8C62E1A9628B69929FDCC5C354C26A1DA00FC5FD5886161C4DA889812E448887D85829B9011728135D8AC370120A3889ABEC08B3725D0B8A08F650C3F4949DC03629661497C182B05B227C17FAED4C5C20F57B59547360CCB9D076D5E6EF2A379A29385135E99D45F1B1F6F30B1E62909F180935AB189803F94A2A37EA57724A4ECC098C007E909FD3945FC5C209FBF49110C39D8431D0D7408C37648E52D52E59F45DF220549082033DE1B82BE07F158ADBBBD82DC354F0D476A6B8F837B4947D64554B6F80E33A9168652E0ABCD2112811BA4E5AD952A137DE65AC8A3F639451CB4B5F546D1D45AA6BCAE748540A1D68D50E40802191D16DE4CBFCA8F2AA8F581E5DCD45DEE3BF29113644AB5055D17574CE40FBD6A498AEE30185C03F44053B3FCB3F98327BDE6C8C99DBF5668FF0128EB0C1C9D9234E7D97A5A8B1C1D742595FD70000000000000000000000000000000000000000000000000003080B111A1E');
insert into receipt values(9,'651c62b3-fbe0-41e2-86a5-815962706a4e','58605093-3e4f-4665-9542-48735f9834c2','01a20e82-c870-702b-89ed-36aa1c206429','ec8e58ea49635e696ee61fce5d3e55059a12815ed8fd6527abf422255675b66e',X'A2677061796C6F61645901D9AC6473697A65190FA16474797065781A736572766963652D637573746F64792D726563656970742F76316861737365745F6964782435383630353039332D336534662D343636352D393534322D34383733356639383334633269626C6F625F726F6C656A70726F76656E616E6365697365727665725F696476687474703A2F2F3132372E302E302E313A31373539386975706C6F61645F6964782430316132306538322D633837302D373032622D383965642D3336616131633230363432396B726563656970745F736571096B72656365697665645F61747818323032362D31312D32345431373A30333A30312E3735335A6D656E76656C6F70655F68617368582069DB0536729CC8729EEED9430BFFCD1FC6EAECAB0FEC2BABB5845B1D8CDE51786D7365727665725F6B65795F69647840356233376465316361363232656638343133633961386632623036666538323831653664626262393132366330323238343566393761323634326634663161386F636970686572746578745F68617368582069DB0536729CC8729EEED9430BFFCD1FC6EAECAB0FEC2BABB5845B1D8CDE5178727072696F725F726563656970745F686173685820CE2270BE3560633ED49A3C09549789EE78E120157CC6AFA50EE5F6EE2B83FF54697369676E6174757265590D2DC93D65B4D5C4671D3B059D38CF1D5CF73FE345AC85045C2BAC2C4240018C5D87CC938E600ADB217298676FECDB379B3FC4347DFB93A90CB92FD7BDA87AED500E4B5AB5132D883F3B0BA965C6C2DC9F3C8753391E474BCB91DFD18655DB6004325DE2C66EA2F52F9F54F7949C679B4DED8258B37814E5E0E8AB1E1861FAF20DF10FAFF357D937AAF6F8D6C4A9D2E644656B4CA065C36278C3D89A2855C2A01645B63004F643472664959A9D795B78ACA7DE8601C055D244F70D15CFBE846CF84290FAC6244D0BBC969B358C619C2887CC2886BDF03EDD8BA6BC753736AECA9B9949B66BFD6C3BE5A5B330ECA74C6D91F1E6601343FB9AF658DC3C434BF8879FBB50FC521F124983E54154653EA259C3397D81686D9502D8683D7E4745692D1DD5EA7E6F7737858CEB81C9AD6AAA4D39D6C53DEB0405C041F2CE5C6FA6CB3705A4E419F320D45C3EBC2480BA2B337C3CBE9B8A76629503CECA82F733E29EFB33BF2E721A0B33ECD8187EE2552204A991FABC765EC14570916F6CA1F8F706D478D6454E1A2BEAD9AF7B7E5CBA1D102FB066AC623D601166F6E7F6299682287AECDFD617EA559F65656323D1B4270B8524565BC7E7348DFC88A22DDF649578C7EA4EDC221997DF88B09BED37F70350426A4059512909C32C8CD31D9F98EC640C91DCF30AEAE331F62C6FF7B2FE52FD7A770CEE9E96CA2B01040CFC3A2D6C9611936C6E6AB7A17F0AF4E42E7324323DDAA17E0F1BBC55130BB5385BCEF92E8FDA427F8EC3D7855600D6D1B11E58AA91F2E1810068BC8A93C0B89B34B265A10B259DE77CCF8AACE8A40A075C3921F1AB80578B77F933CC9423A6C324EF64F8C28D48B17002A605EFEEC5BE6A7471E612772A480428DCA58741E41BE59200B8098143B1E2EEB458983AFF0FDBE40CB6B04BEE0B7063DBDE46E7E56CDC910B7251EEFE0DA70E0019A70939962299DF1E210A8F4C0F1F0D6518F6FFF5A164040B626A86F4AE901283466920810EA590DD182631623F6A21760C429AFDE77FDB5E3980F243A6EAD8994B0C80A3286E127756485E86AA699DB6CE23A1F39237C40D399276E7A17C652FDD1CDEEF4ABCF803C07E7459060051D24876F0B556EE14B81C124A6497730226F9B88B9B73512BFAD7859CE47BF7233AC2F20ADFFE5C532509368247276AB3796044BA306F0753A72349E2288DECBA94BAD1141E20C5B662C24346E58D926DA2A8C2375848371F29436E52D9BB7AFD0E7B5E92216774FCB7B7FC76E6B6C9272E9CD191C19A5417C09E13B5176DA56A3236327E32915A6B94B34F01751132C31966C7F151F47812066DB783E3B33F952D52362F9E11EA1B047997D9F42DCED9C2E5E08FED2E15FF57D7D71EE92FFC7AAC3550BEAF8ED4CA13385D48BB311DDCE4AAB5094E24AFB502A8C6097900113198235825BEE491EAE52573BE0320909BAFE0E6195971379698521053BDE15881144873F4050047456DE09C5A3C0D662C90F64178E53BD4F9C712F19EDCC83811D73CA87A2150A626AE6DFAC84B0DE8A904A39913FF169A23C3C758D6A358A773FE2AB3DB078AFE90AB4E2B80FD6E6CC2BC62E791BFAC946DBBBE50E0889E0511CD7110E696E5E8822AA15513FB7B55720F21ACC0C2A3ED05BEDF6EB1164618672423E2BDBCBEE26FB74D79A2EBB13823688D5854CE8983E2C98BDB0007F2BF2457960369FC2D69C301C7CB7CD5BA47C00B3152BCDD13BFE68A44ED1BCC609AB2944AE84E3E63B309B125C4B6DF59050CE56FA418923382735711C59F78F2F029B16EA730237DA74E6970D2C75ACE3C361403E3206EF80EEB5B6F729B299E35DA5896FB96310FCE2EB7EBFA405BC96F6E88A36962B310661C6A18BAF3248559AA9A9EC2EBD0131F7CEA62F860E6DA1E7D9B8C940CD41B8A156CB54E667F0F46AF59887962ED13E18D49A364E5BD5AB721F6CCC6933411BDDCFDB532893CCB3628D616C302269948CA5D65337E1A30FE5B5740933DE891B91D9CA50BBC3F350F3423B8A1117DE5D393D40AE39E699DFE086FE68BCD47195CF8DA346057C2109DF32C500572BEF2BF3A4BFA87B7567E43E8EE7B36511F468126D642C96C751B741D8FDB37F4013256C4DAD26DB4B5DB218E30AD68CC8F98F401AEE50D2E6E82787A665BE7AD56015D33F0001948A9D807333BC3A9BE3667F1CD97D0E1AD57FDFC791979D776C999D45D84CD24B4FCD7616F7EB00566FB6BED8950C3C1B122911C78B1AB7C1EE55C9677A8833EC6D50FAAA3F0DAA3831445D1F28A9AB376656ABC7338BABF8925BC1F4E4F6555D9561C87D91D9E48ABF5CF3490F6994DDE0E4814FAA0ADC833D75D248F93849FEB717862D03396CBFD2B6096186DA0CAE93A856F2156C31224A5411D726ACDE0EDACA1370CD5830F0DF655AEA08345A9A3ABA67FAE010CE8E980C4EB2DB95CF0A59A29A0ADEE33ED60574E0D0B22AA384F87DB213B6AB460D5B22D68DDAD628425D936DD095C6E8CB53C801336824371FE7118E16B04233AE795C62541D8E7D397F3145A816F9BD02DE34F29BC774699438CF5652120E94BFD6DC5E934120F0FC68EF9C3A23395E1946F4DCD6DC12F4F496451277C381C5D3E3020E1F07E28445388180D1078496408D58FB0771FF8909D2F3AB82226A17013C97E7B1872F2ECC1F7D8A61631DE1B916D2A797B8D267F9B155416A2FB8DEA3CCA99FE4609566AEB21FF6CF4AF29BAA056F07E31F69C8D6202E3C194CB059BC82E79386AEB2C1FD3E24E970989D6C2666E2B00C2F6040A1E5C1C5123750BB2B274F9294CE775B27D2A0519C62FC1D56539F4AC5EC170E38BBC4DB627869280B8BEF836DA03D6B44E1EE170434508F5779AA3C0551B70476BFBCD0799D3DAF5860F83A35A88F9C391492CE14DBA2AF51B0ABB2A5C65E295AB161A1112982B0C310172C1E3822BC7B40E6A32B22FFCB3A7535953DED16FEA4DAC87C24AE11B499B1FEACE15617D54FDAD8C071F0D34891934046CFD99CE18AE165E1F334949A9FED2E06E5B6A295593E819BFB16823A59F817C05FC4F7C94FA351D13455AAD41A47AA546FBBD08FFA97BDB06BBF40BA7894438D182074AA8FB66B44FB06DA99295324D5D523490586262F266063BDBC3D0599C50EF0E69AA56B5E7C64D6C06F36B72925A5F43D18E8FEDC8ED238DF69FFAC8AD43294D6F99B4878D1C62F9222A14B360B2C796D03694CB0AFB4FAA028F6AE836FFAFC62F0BBC352C723817F294DB840A04B87D7AD970E6792F5CCF77375B315EE99EEC9F43EE9A43BE6EAA8D2227158F8C29792A72D29A43BB71B3D74CF233545A06FEBF1E5B86FB4C85263A6ACEB7D774822B871EC7AEAD83D76DF0DEFEA6666AB821CD9D701600725F682076DDE88866F3D2E577E0DDE9BB232EE491AB79BB4B78F8DE25629143EAB0F05ECB9BFA4DD669DDE0C2ABF4C83B06392F6EE632D3F6E3B74A6957A436D5DF3D32983D1C50F2AA1E1013D698209B73DF49CF33CACCC6B7D3EC043C3B06C5D664CD172A64B3E4D95C776F4624B3B6978ED3D6E842AE3645F77087205361A3A6130ADC406CEF5892887FD4E768039D8AC33D5F44F2CD0A78C3065A89DC7031D35C22C3A516DB2A438A34A744D9DC920FEF43BB51611779CED5640E4ACC633449012F28A1817D29E9C5592B9EE276F460EDF30233FE4D6C3629376FA70D44630AF7BA1DEB171A96DBAD2415447CBE8D15B5E96970EF1F71F6649664F1BA3C32BFF8E5916FD7F940FAEB5C79180AFE6555A7F5BC3339C5CF623A6B9B3A726315EDC0D6EE31EA733E2E16BC11CB42F61AA1F98F1A8C6ED751608003AF92F0768ABA4C2D6E6940DB8A8C11E29ABCABA8D895414F3DD6A37F6E129B10759C7302F3A37DA6ED275D54E6465B8DAEA4F3B9A366E2CC9A69D8C882B6AAFE690A39A29AEC1EA8FC3395340C4BE11EB9B246743ABE75BDBBBF2D1ED86796F08AF60F2C349FEDBE74AA50B9E944C4C369CA809327FBA24BCFBE4041CAE734B12C961181F2861495A0772959C4487A79AE80D61DC409B86C25CAA033943F8C2CBD8A8CCC73EBB834C62D93A6264A03B292EF6B6DF6199C8250BD6DC9AA8254043C1155FE77A005B32CD6496ADF9445248CC75D9758F2833BB324724D3A8B95CFD78B3BA8F7CA74B74F99BA76A41FB1D7BE598B904507F02330411EA9563A9123F766AD83A696337F350DE9BB12B5DF707701CF5B15911E90B068096BEC5350650C18895E5A28D9B25B151525CFAF8535F3E121BE340C79E237B416B5A430613714888E2707D4137EBF070288D590BC9F9F1209E4E91BDD6A00D3E1DCAFCF26AA9239429879CFF6EF4506B8A6B300BC10336E749A0F9615EDE93BCB19DCC63BC373599AE6142203DD9E4594487B7968548B277E34CF48DC7DA2F11C1FB54A1903B36E5805FD648F2557E847777BBADC8339ACCF0B5D9E5A459C9EB8748667A18877652C2AA73FE580DA098A033A880FB6CD0444FB076CAF808A9B10F216FFFAEBA3E0145A426D171174B3B49E21FCBC62D8208985895AC260EE340697435722C458DD2C5F16C02D5F85AD19CC4858AFEC4CFF1B25E6D7F59C99D802EAF63BC02FDA97F3F1A1A7014574654B38C6B7ACFB395F6C2A5142CFE4D3D919FF5382D47A2D75540D99F190CD2C2FEACB4892CC99985296EE8417E3AF60CB627E702DC419CCF3770029547686B4EB29A5B2D1DB689DB4DCE9FA696CC51E518BDE3F5267699EA0A4A9CC000000000000000000000000000000000000000000070C12151922');
CREATE INDEX receipt_by_upload on receipt (upload_id);
CREATE INDEX receipt_by_asset on receipt (owner_id, asset_id, receipt_seq);
CREATE INDEX receipt_by_owner on receipt (owner_id, receipt_seq);
CREATE TABLE feed (
  sync_seq        integer primary key autoincrement,
  user_id         text not null,
  action          text not null,
  album_id        text,
  asset_id        text,
  chain_head      text,
  at              integer not null,
  album_owner_id  text,
  personal        integer not null default 0 check (personal in (0, 1)),
  -- Which slot of state_slot it is about.
  slot            text
) strict;
insert into feed values(1,'651c62b3-fbe0-41e2-86a5-815962706a4e','album','d521bc5f-ab0e-8852-b331-c39e32734db1',NULL,NULL,1795539781274,NULL,0,NULL);
insert into feed values(2,'651c62b3-fbe0-41e2-86a5-815962706a4e','create','d521bc5f-ab0e-8852-b331-c39e32734db1','61dae28f-9521-42bc-a4d8-8658f384c4ec','81aa0b97a896a22238a49124b9a7473b29100e55c75a3c92dc577494b81f3a5a',1795539781483,NULL,0,NULL);
insert into feed values(3,'651c62b3-fbe0-41e2-86a5-815962706a4e','create','d521bc5f-ab0e-8852-b331-c39e32734db1','aa35f243-2ba8-474c-b987-43ca5c874a63','8e8dae64a68d664934f8e3ca579415481ab1974fa00038ea58541e13ca6911d4',1795539781645,NULL,0,NULL);
insert into feed values(4,'651c62b3-fbe0-41e2-86a5-815962706a4e','create',NULL,'58605093-3e4f-4665-9542-48735f9834c2','69db0536729cc8729eeed9430bffcd1fc6eaecab0fec2babb5845b1d8cde5178',1795539781762,NULL,0,NULL);
CREATE INDEX feed_by_account on feed (user_id, sync_seq);
CREATE INDEX feed_by_album on feed (album_id, sync_seq);
CREATE INDEX feed_by_album_owner on feed (album_owner_id, sync_seq)
  where album_owner_id is not null;
CREATE INDEX feed_by_asset on feed (asset_id, sync_seq)
  where asset_id is not null;
CREATE INDEX feed_about_album on feed (album_id, sync_seq)
  where asset_id is null and action <> 'contribution';
CREATE INDEX feed_by_slot on feed (user_id, slot, sync_seq)
  where slot is not null;
CREATE TABLE share (
  opaque_id       text primary key,
  issuer_id       text not null references account,
  metadata_hash   text not null,
  wrapped_secret  blob,
  expires_at      integer,
  created_at      integer not null,
  last_viewed_at  integer,
  revoked_at      integer,
  -- Tells a repeated issue from another use of the id.
  request_hash    text not null,
  -- As it was issued: counting ten thousand rows a link would take too long.
  serves_count    integer not null default 0,
  -- How often it was opened.
  views           integer not null default 0
) strict, without rowid;
insert into share values('7948c302c22cb13b923981ce0b544896','651c62b3-fbe0-41e2-86a5-815962706a4e','9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7',NULL,NULL,1795539781778,1795539781812,NULL,'e5654cbb3372a3425fa8ddf9b2fb42302d4b37a644ae3aae8f73fde5459907cc',3,1);
CREATE INDEX share_by_issuer on share (issuer_id, revoked_at, serves_count);
CREATE TABLE share_blob (
  opaque_id  text not null references share on delete cascade,
  hash       text not null,
  primary key (opaque_id, hash)
) strict, without rowid;
insert into share_blob values('7948c302c22cb13b923981ce0b544896','9c0019a6a65d0023ee2788b6b5149d4d1cf454da30bd9ce40bf9a475342435d7');
insert into share_blob values('7948c302c22cb13b923981ce0b544896','b7f5383f5f2a4f4da85516361c11707c317727feed7479614957637114005f25');
insert into share_blob values('7948c302c22cb13b923981ce0b544896','d52c6260c418fa51db5ca59d543ea97b23bd106c9ab6d9734f4aa5c0deed8008');
CREATE TABLE upload_link (
  opaque_id       text primary key,
  owner_id        text not null references account,
  album_id        text references album,
  recipient_key   blob not null,
  wrapped_secret  blob,
  max_bytes       integer not null,
  max_files       integer not null,
  -- Open sessions count as well.
  bytes_used      integer not null default 0 check (bytes_used >= 0),
  files_used      integer not null default 0 check (files_used >= 0),
  expires_at      integer not null,
  created_at      integer not null,
  last_received_at  integer,
  revoked_at      integer,
  -- Tells a repeated issue from another use of the id.
  request_hash    text not null
) strict, without rowid;
CREATE INDEX upload_link_by_owner on upload_link (owner_id, revoked_at);
CREATE TABLE guest_upload (
  upload_id        text primary key,
  opaque_id        text not null references upload_link,
  owner_id         text not null references account,
  ciphertext_hash  text not null,
  size             integer not null check (size > 0),
  sealed_metadata  blob not null,
  state            text not null check (state in ('open', 'finalized')),
  created_at       integer not null,
  expires_at       integer not null,
  unverified_from  integer,
  received_at      integer
) strict, without rowid;
CREATE INDEX guest_upload_by_link on guest_upload (opaque_id, received_at);
CREATE INDEX guest_upload_by_expiry on guest_upload (expires_at);
CREATE INDEX guest_upload_by_hash on guest_upload (ciphertext_hash);
CREATE INDEX guest_upload_by_owner on guest_upload (owner_id);
CREATE INDEX guest_upload_open on guest_upload (upload_id)
  where state = 'open';
CREATE INDEX guest_upload_in_order on guest_upload (opaque_id, upload_id)
  where state = 'finalized';
CREATE TABLE gone_asset (
  asset_id  text primary key,
  owner_id  text not null,
  gone_at   integer not null
) strict, without rowid;
CREATE TABLE gone_link (
  opaque_id  text primary key
) strict, without rowid;
CREATE TABLE gone_album (
  album_id  text primary key
) strict, without rowid;
CREATE TABLE gone_capability (
  jti         text primary key,
  expires_at  integer not null
) strict, without rowid;
CREATE TABLE peer (
  server_id   text primary key,
  -- Raw Ed25519, 32 bytes.
  public_key  blob not null,
  pinned_at   integer not null
) strict;
CREATE TABLE federated_report (
  report_id         text primary key,
  reporting_server  text not null,
  reported_user     text not null,
  asset_hash        text not null,
  album_id          text not null,
  reason            text,
  -- As the peer asserts it.
  reported_at       text not null,
  received_at       integer not null,
  closed_at         integer
) strict, without rowid;
CREATE INDEX federated_report_by_time on federated_report (received_at);
CREATE TABLE bucket_claim (
  name       text not null primary key,
  directory  text not null,
  -- What lies there, what is being written, what lay there before.
  term       text,
  next_term  text,
  last_term  text
) strict, without rowid;
CREATE TABLE doomed_blob (
  hash      text not null primary key,
  -- When its removal was signed last; null: not yet.
  tried_at  integer,
  is_gone   integer not null check (is_gone in (0, 1))
) strict, without rowid;
CREATE INDEX doomed_blob_gone on doomed_blob (tried_at) where is_gone = 1;
CREATE TABLE quarantined_blob (
  hash  text not null primary key,
  day   text not null
) strict, without rowid;
CREATE TABLE stayed_blob (
  hash  text not null primary key,
  size  integer not null
) strict, without rowid;
CREATE TABLE log_entry (
  entry_seq  integer primary key,
  entry      blob not null
) strict;
insert into log_entry values(1,X'82035820DA4B49FC347A44B30E47E6760C0B94FE6DAC03337AF03375F0374256AD69DB18');
insert into log_entry values(2,X'84015820381AA34B080ACC32EB9ECA9CA9B335D681757662E1F024E0244E513258D48C0C0158203F3AC7E72DC430D0F0C4464DFA507359E2602639C87B4173ED4B35140A55310B');
CREATE TABLE log_life (
  life           integer primary key,
  -- <host[:port][/path]> of the origins, and their last part.
  base           text not null,
  gen            text not null,
  -- The feed's epoch in which it began.
  feed_epoch     text not null,
  -- Entries with which the keys log begins, before those of log_entry: a
  -- bundle of tlog-tiles.
  first_entries  blob not null,
  -- Why the logs began anew without a restore; null where nothing was wrong.
  reason         text,
  begun_at       integer,
  unique (base, gen)
) strict;
insert into log_life values(1,'127.0.0.1:17598','68cd2dcbfd96355ce1e00415c1581027','68cd2dcbfd96355ce1e00415c1581027',X'',NULL,NULL);
CREATE TABLE log_checkpoint (
  origin     text not null primary key,
  life       integer not null,
  log        text not null check (log in ('custody', 'keys')),
  size       integer not null check (size > 0),
  root       blob not null,
  -- The last receipt_seq or entry_seq that it covers.
  up_to      integer not null,
  -- The note with the server's own signatures.
  note       text not null,
  signed_at  integer not null
) strict, without rowid;
insert into log_checkpoint values('127.0.0.1:17598/custody/68cd2dcbfd96355ce1e00415c1581027',1,'custody',9,X'67C12B25413823C4977290753F3B9C23AAFF436F7437F97DD66C24AD6A1E7413',9,'127.0.0.1:17598/custody/68cd2dcbfd96355ce1e00415c1581027
9
Z8ErJUE4I8SXcpB1PzucI6r/Q290N/l91mwkrWoedBM=

— 127.0.0.1:17598/custody/68cd2dcbfd96355ce1e00415c1581027 0v+6d6neRio9Tai+gRrZGdZKNP79ONDEnGXgIaolJ6XbybvuD1VyQraEqL/Pv873E+59rxF723FO23lgTg+9UqCUYAM=
— 127.0.0.1:17598/custody/68cd2dcbfd96355ce1e00415c1581027 /Y4A1v1BJhkQz0/mUb+lZ2cnHK27gpzGB9GMjAwGq+lBvd51CVEdShZFRggT0Gww09cNytOVhlcQVThg9S3qoShyDghd6GNmgggURzqtpuzPeGsjU614U4uJXATrsPwKyNNfwqPqX7EDJUU6XebJctEL0R/OIosl3SGGsRLkE9rM0MzHmyBSS5clccZVvUY0N5987ATkhKUEEpXZrSpbLcuetZQvKlVn+HtUOejUPVXPogPgV5UI8G++JC2CuyUVbqKOgWDswpYkQSqlDG+nHifghOR0nJnL1iztlx2n2FWR1j0WQm/ZUjRXfQSPVCgbDymTdOirjF6ZQWmigeMzg/BOOP9Y82s2leQ5QtJ3waM6Uu+USXMDcbJ02E3YLZPGccAnWi9VUHVg58U8X9iHQWu961PS3hCNGuiS71/OEillVdaeaw6Ur61FOIOrvagQlxPAeyMT4OcqMXupgeDSgIUWlLGUwCuyGUO2My0uo4IV0wvWYzAnh5v9tkNVJG3BuVp1vUQL643qav3gddfisx/lmmwj6GBhseDIazb8vvG6WTI2byef47uIL1f1afKKtFvmFk4ITzyeOitlezXjUVBiT/2jhYD8CFBqt1n/56dTNcHqCgrSdhi73P9m2jNF/8Tcser2MCThgzu4u3z5SGNgrnuCO9Vfa4cclSfSmQDYgqzZ/1CNL82dJYdC2KocpHdibODgeoaHi8E7iG1kuH9yA6EnMY5ZcyvdCn17fewATSdOcvl767fG++a4wCt93eVZlCF7drKFY3nVcqqJUveMLlgD7NHNP0w6xjYrKL6yVsyTbB7WrLoIgrd6HwexwargtU8d6OY6RnNIlNiBP0kFXRwuzc6vq0SqqGnC0qtuaEOE4YIrEcHXFTfW4iJv4kEaKbEMPNJtBgrSsdua1CaXjYM8k3AFlKyGi9UW6gDbXo1Bx91BQX9Hz9VEjmLEECl20O/OOP6Gt12Ijf+HpUkFxv+bt9WVM5mfbjdnjG33OYNh5dsuiBY7TnbWZSgKo8JwqJRpcpMTmLKvXXNh/EeLt1dg8zFluM1VEDG7zsn9Ih0jcCcIvEO0vChMXum9JmK2pDc9Jpgq1NQfxDvpBR5hwHu9eIo+rwLsjh86eIKUROOu64mNnfNnHS0XkZz3pOW13ikGPUd//++rSZcxsgh3U+FpnyMOxeOBQ/zBNN/PeUHYUfJqj/ZbvAIQ3FGZYqPNBOjqNW6rwvdAr3deqKFuqZVVMKCYQ12kmvVi0EFichN4dL9RXx2KmcPms4fEDAHl1kv5sIM0mGCGeX1CFqs69CffEng/pxV2+7k5YhURyD86wP6qbZa2xnNEIV/OLcSV582ev6+Bw2NGgciIk9VDckSvoSTs+uvQahy2TqlWBDyimz5UYSO/T8sxuEVFn6JrKRUk4OsN6LFzEJ//mQzspwcJHC3jr4T+/K0JxqwjJG6shq3/VUthuqXucOVL3T/ClFiQAahLLrxJkuI/GvxqtdJUA5q+FqCNMJ8MCdwo0GT8wx72ZlNMLlOTmGTe15v/oIUB6Uji33mSX6Yd/qjsL7DpeEXaFMB5BomG2uNU1Nw7pIdhxeuP9afysmfzTuJ7blBw7V2OEEY5kWYMoWDN6ypnJHEWQYzK37oyrGvA6PVfs5pYzKDeu6b9aFdwj7a3aN7FK0srezAucT0q+3dIx3x42j+b3yMGqRG2JoIhfDs5oYkI5fxsQ9P+34Wi1xdOiVbRGBD0c5h0OnvgyuJchAIY8CP/16uHI2YfO5gduODBBJUojXaEjDRSSR3D816d2Tye8kMsrW3ZqPc4y/ZBW8yiiFPBppmWDERGDzsFUEc5E9XHguZkmxckEfnw3CwVgVA9l4WCRI14GfirnV7a3doDSKoT0Y/66qb/vYWrbte2eiRuTU4H7xqKpPmymfoFtBErdo6ba3oeHsCYuspZUBqJQBpLvFSEFqBckXEHLcH0RFv5aKZJGh9Q3suSBtjPw2iBHe+WYbl3Z0orBbLKApsWYmzojuwonZ4QoKzBj8CyKOlHcQGJvdN1LNGfNM4kZeggq2OTeHK6vCF5c7EbzHRZUErM/XN3zYTGLLZsQ/L3si3KYj13hrtl9Oa13pE0ThNYL8SFZfKv3Vlakqfy5hRyqZh+0sFKJKV+sq+JvNRMVdg2ScoxLpN28kJzc90f34jGEC4dGEMTOTiftZwfl767haA00r4oh3HaaL91a1FHyvu1yaNtr4EfvKiSVPdauYCSExQllehUydyHS3kWd13C7GkOJv2n4ANrxc2f027QICxFonlI0xbDyXZRh91W3+K0PQtJ/SCVxr/znLPXIbrxBFvN25dv1k0AJiaxA/OaAPcTmG+t3BFWjupE2W/2vB50GlvZ0pKKnVFk22XYKSqYQLHqCB+oUlcJhvHyEdJDdYre2N7L+N3Rn3/NHL02FKIsSWGCF7z6CIP/WKKq8xgfr4UE93yvGb39x4OPDGAUwJywlNhTc+tALbKCgAu6YeVykJKY5B/eNRnhtRv3Pxps7NNCElmaaWMHgRW+ybWT1QI2EpC6LsnMJrfHC3nh13ny4du8BjsU7an2lPczTf/mjkEwljW4CQc8yC71/NeIbBZ8/H9qfe2pUBneDQSaprSwyydlsgVdNptQK6R8LfHPvcz5f2zGMusfJQ9M6g6iQdHg8YLzFPNtlEZ9Jrlps7qsdxBUFQNVdcub57/Fwvi8SGJMLcDs0RFbEqyL/2qCe/MjA3pt7QuIKGHY1rAP4+Cl02ZdapXpNjb2Modrto3O3ia7tK11eDtWQYdbK6cmoYD694+qqgKK9qnsYcJMD2A/H/BZNPMKH6d9MjWjNuO8OusEtUtbwOKw1DYdiMuugZBkqLOsKYalq/CDbD/xHfGXQd58Z/EuiJu+KwDnNgnGZtX7SeOWW+NI/VgArXDYqvkyK/+c1vZaleH9cVpzDEhoQ9PV2oCH7nDExpHSbEytDWmQYVLGants2at7mWkVA1dZUHteqIDS0ot0iRGuW1ZI1zO4cIisruQV5VA15JuH0P4WZ/84UqOmSItru689Y4pAZkE6GJteUJDiJ/5zhzWt7EJfCTYgl3PnUE3ArtNURqaGdgEtfE7ksefzIgThAsgec2yI1rCrmNrZEIZeODXnWLnB9nVJU6nLlA3Ts6qDEgPQnzPIn2K6owOCo0J9BVGxoRM67KpAjO8+RZeZcP6GHvUizhE3b0dJ/3TaobLIfYvSuglpuETs1GufFkA0laeobWNByGAjutmLSBkdaa9jfXXEI0AMLzCkGpM6ivlNHKlswSN+ph4scA8V+qAx/PCbz5PMGx1Dvia1hhnluNumf9+Zbn9ZNfljbrxdZROVuQ4T03wOx3iTYZNsLfZ0CXR3S3iLl2qD+3yamV506hW19mOeKjXLpSTY1ThsDzh7yZhsAGwzjEXFCi+uFrJJ2fwPIYLzrmvv6PGk4uwM7BHESiIdWn3Tll2lE9VVPK10J9Ke41s90vdXWna401S658SRx6mfpEOVkUt1UEffi4E/ao+dDXWaVCKZu0pg6R1daSeKE9glft+ToYYC33PTpyiM9D3bHENL8HSlvxePcVhpUszmPzhRc6T8ml5TFyrQEUYN5BBnT05Zod2hH5s+04KO0c+ZH19J3QaW2QsXHR/E9CP429RkY0JPXDaN57Gejz0kfk0u+MBdZ5TiIfePQH4pFPEy+/1NbQN8L6K9XOhrYdf1KP/0juY6VaA3bhPeLCiQNUpCGegQErNf+OVaiEW4Ep8RdZlj/XoCScVz5xbngPNYI8G7YrlpXqVZ92urn5ZuY/17A9izhVipBu9+RaatIAjcpH53Ki2EFZzhzFX2RnxRI5YUl+cLECalkzjl8L5LfmFoRIYEmwtCmcCWc8qUVaS34d4HxUd1Ql+lGXc59As+KuNyBUiNN6sl2xga1NyUHVEI4GqKj1xkbiBCpIOzze/dhw8KCoQ70WCEa2h2XHaq83HCQhy0RaohsZ1JrYSJfVgt4whuQlyCwhYns/Fs0Ai9sOFsEhGI8PsjLjN2ZAuywN98Ll+27VavnLOkimcyG3yUPkp2rtgbDg0b6DrVej1O/4VigT/i/adaum25Qp5jffro3yyiTdBZ8zsMEtiwApUhjL+brvArVUWXJ5MmRQK4K04Ax8wVHLsMUDIyw4jauTUpCzZUyUfs8u4DYSF7yt+y+OzPbmThD3vyGohlMT/HabeHfw7DCfrp0l1yK+UhjLoJRvaDN93CbY2zGh9ZiNaloIfD1M9Ld0ZJBCvBLQYucRi0eKgo2mwFSGiYvrRw2oWRBmL7V87rCl8336KpHwpr+bR80eJMrk9U1pABtP0dkXmB4T+sUQj2EL6TRU6EPX+v8t/28siyzHCRJUERQvYq9iYZ/0fUTSQgfKs1a8GBi6DBWm45BsGVClh1idPW4iiPBzNvsLb+T1xgae2CpbvH2PwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGCA4QExk=
',1795539840826);
insert into log_checkpoint values('127.0.0.1:17598/keys/68cd2dcbfd96355ce1e00415c1581027',1,'keys',2,X'2557C25A584FA71C78A3BF0E28D03818E139688E92296A2DC974FB598D6107CF',2,'127.0.0.1:17598/keys/68cd2dcbfd96355ce1e00415c1581027
2
JVfCWlhPpxx4o78OKNA4GOE5aI6SKWotyXT7WY1hB88=

— 127.0.0.1:17598/keys/68cd2dcbfd96355ce1e00415c1581027 eXyfLB0K/sVPJGcrRFQgD4zzOTNZV78DNUtyvr5fToTCeRfqZ7y2/ix2JWXlBf7Yexq56VYE8nJ9trwAzAgjDLBHMAg=
— 127.0.0.1:17598/keys/68cd2dcbfd96355ce1e00415c1581027 Hh+oOrPfhIpH0vnvNLGrFxaDQydNDVIgNcNpYP5v/hrx6DbqvNPUlJLCaXRwq1qhdjQDIXimxqQ1EBYaPpw7Q1dwlwGANrH1GSjf+RLVuu7Sy7UMLk2kZu0PbJLlMLriago9U85fYrv7I2qmg/IV6rwdr8PX+6U9UnyRS+3ivzbp06TgxLFkvyHnQwYd4BXSPlpu4oBtXmrfKJs3O/1QEhywfZ096HQ5517YaSyMsKPy5Y5I2sBlMAipklgPxgRRFxTZiSNP7o6MymHSV8TeJF7Gfn0uMing2BDzf/ZzSyczj0lTRYlCTx2GsfPinYJM765wEZk5a1q6fM6uwZ7XizYNCpr0A4AHxWnBWlhvQ8sHh3orYL21Nam9YQCU+A7m5IccGwAd7I7s9fFa9fXFH8xjKAUr2f8jegyqeDhYsCndJOK9zD1Dhsj8t2tdl+OkKgYPPniTaFPll77f3MT+mGnOMpjsJR5GUCMSWyAB4qEUGCPafAwri9ZVzWv2rxQq+gHzLtKx2iDQZdDFxWsWHjBMQlBrB5njQmVvGj5CReZfx1pKOe1XWTLjDTP2+eJ2L7kVElnf15XwK4kgnylZpNgnnaNdUpmbBmLoG5Pw812rgALC8g/C41wfTHJXmzWdEXeeu/upCKY3C46epRonVptVh71z4OLIXgr3Jx2+uBhHRVskPA1+27aCHtvI1BdCRXuoKzeXEbwNBEBQnWUmQbTuA7qmlcCSPs3ooCTMDMKIuN3ARDjBPTujrq3VtRM/AdzNTIiN8IrgyaiIuXB6DYjSjuIXVb1S80phhiNnIQ/GL2kCcNSIHF90QHGEVnJvry0ZSLf6BlIsPwPvPPpPp1LpNC8noqyzIOaEWugNAu9u0o8bnXhoLCydLFqkwL2JkxbBRlTUz+wqEGo1Ex7YryIGYr37c9T40oXxZ6SAEoJMtrnbZBjxhySj0FKcYPGM8KJIvLMzyBVPdRvKoqnUjcdc5Wq9eI9ssY38INGYWsK9rjytdyLhkoUHeONFHhwu7fSrVH0t+PwXOXWqFz4YKHbBO4OC6EZTWdLjIEBKnLV3NL+6Yk0h79g5+SHCFK6BW3RLYJAl9owmiKpt6cfhCBy1+Zhy2V3TaiUR4oNGwihFAd8ULEaagLMGZg22Jg50kx28iB1jzMC5zzQ8Ssne7b+qu6XHFeQi9OCvKKV+XcDyBHrdxupJMcpOOBISrX2qsuz03Xyd2cQTrPLA8TJfNXQLIbO5Lml/B4FbKqCcV4n/zoC0bWDh7ty4v+98nlH1nQoA7CdR0jcjK/S9QaE2KH8DJACjCPz3g4+GH3xy/075xW634JzznUZjMMreQ/MphjpMyQzIQkFHTWNvXAFNZK3iplyWiu1GEy5MLSWgCfzpfNX651HxAZBgifPV5hMzDNeuKHgVEovsfiRFQ1g4sbZjRCxJiROQ5V6CNCnFiJBwzQJCPRO/K613EkiHuHLANbwiiIbQ+nksZj/ZdX6MdZI3Bq3I5eOSMGpj2840pSOuv+Zd5wM+9zB1y51ZokX+SCKFJIT7ZvOETPDlNUbDA2UBnI0Nrtvdg1BI6Zd6GvRxqGuGiGJHJKtxxEl+aGGgzoo8xjv34c4agsBhg/XyC6INNaimec4W5FyHMXb368mosEPwVIUixMZJKq/fodGuivf1hVl4mRLofWWAoHvdW+NeN72fFNEtRpWSkTR0rCkArTS78PHB7z6JoyNXmwD3xEmJjFos6x+UZrsRDQWbjyGBFNEdaafJp17gt67GhSvc31TRZhoehsthXNDOsuZV1vlJaQKQ2f+v4Mb5AQQmzIqbUQgtSxgUEM4ZoIMwcaoMG46i42QlpMxnZY4mvxIseaWwWWLQxJ/byM/lgotCn6oQ69EqZuKSJSLxuwlnDjHv3neVZCilPuIJQFZEG4d4NzUiZLLQI/M8p8ZzdjyxwsmruxR52bdB8AXWF97pvBGFdxtHt6Ng2IPRh5E92h8yyi0BpDMrgY+M0k7QwkN6LwnZ56ixSxlPtaDX0S1+7WgRWireBco4CeKx7l9+BHEQAd6I4u84lfSER0/d4ORKilE646/XxrbNSuG+i0Wti8PA6HLsWSMJj9WRN7NHFppxbo0ExOTSfemkqiGUx/L2pBQYW3As8aB4F2NsCTdsm7G+BdZOiu6NMXzR4VusQ6rgFkKM6I6DXF/jf+OZ4cjkloYWXAMs1SoeKHqzbpIUyaqTjNFJbersI60ukuWAj3/rO+J52W0RSXRctflpMPylsY1MM021hQUkqtD0XyS4tMRF41cJj1hwiY5Y7xeBjlXMpDX5FGeDaq36bhnRVqHdZ//lhL+3wRcYMTUYp5YyegI8fXZMzIo34HI/cVi5oz9hHqKDGFXbhS4AoWe0LQvUjgp3ktZFJu6Z/E8DmG3LTVbPcb1wdLf8BKFr4uqrT5CDrnMeuXP6NBqmJYYYiIbmH3FmSM9qmOsCl793ZjFQZJdlajGBC+zf9aeoNAi1E/unr81iBkj5nkPHiFZannnCk5TonqPTWndPzCUKabNgHIApEwAtfbHFYfKNinnt+NsmnNjGEHL1WeC7gDQAy9z1d8iGTzkfmvi00PHC3tZDLTHr1fPGmB74KXd+dtKb5HalHKfhTjf4/DF4rBOvZcq19zIJEMuuX2Wv6qhtbgJ9Uszj8RnlgcH/AFdfbHIKETs2s9lLAxWM3nqh1BfxNfhujiTZyjS3doRWN8eyNIrXoc20TdYpCH8OvJ1GRiWNS2jBMaexXmCPcOaSDT07+7DpQOYBl/3oryT6HkMDloOQ+GWmU3sal+EPTtQbsRbI6P36sl51FKE9mdZGrPM5vONSBXK42PuqV3ERw5rvDHH2sVF+J+ik/a8qH8gPqpFU5U8sdKt/C07V5Gd9ySgmBFZkU5NGndz2bimz82h0g26jir0Zl7O8R6P4ZqUSX0VzQ6MVVbj/Wp0PRPLk8MeNuqT3QzPd3zxb05HEzPUPWf00T9JnePcYm15p/IUAYsTVZpZ919CalvM3+TyCRrFOeXhWLih3DNDkYysir78ZMO7uc1sO1lnC9VmxL9zKien9IfgRHci+/d6YXji8+urafyarzRfcA8jNb7G5myCiNpg77gxiRSdcWAnH/hODkHpVL/dxd+IzQh5S/dSmO5F5T8nQv25FuK6qMJNXs4tjA3xvhgjTKCKtdE9dh9KDApLxinbWSM+kl+gA3puLZdwdEp0x69X0hS/ff21wW2HGSKtef3HautvsWEZnkCP/W8BmJVuLxhbxO/E5Y1WcmfM/mbP9dlX+gJp5Xubkp0pzb1SWVHgKMDImtKFQ7M86kxN3Hmn7Nl2eOx4vD2kclR9Q6uqXTHgT0Oxo1GdwgVH8+qdD77+KQHmTa1Zk6QLIShCnHd1siufxQs/T96TS/ShH5lWFG9EAi2KJF0efWXxsdAw9OM+1cTP2FybTG/vZ6IZpnavTc9gQTjp3m9nqrcRmSGHmAa9EgdqXDKr+ZBPgkjXS6inXM1hnJuRbwKa2OMDAB1NSckrR3o0BCD5uUtPagkloNf58s29KQC+AhJnTfh5lNmRr15SP0Aryix+M4sthKH9UfHfKk0xTxow8rKEjB9p7vwJwzHu3fSTtTh11a7/ib11gKuk6gA/3onLJZh2hkkclw9tL7Bh7ITxu6iXHYHgokw5lvsM4UrlmQpbrX0ONrceXFYjJbQtQRx6RnYAIPOwpMZSaTpjajYlh8D9BnvQuZeWt95muRMlyLbiCFv/i1aBPR4ED4fSIJwfoXhZmCPoQUAh1bCmUv1lNu47dpMFhUA/194yShaxOpqUkkXiUeMlCYBKu99Ewk1PRXZ20AvxQPa+IGhpV0xSnibG3zf+WXR7ZIiLh46TrCq+yyy0GN2sjyGgHIn7+bGz+Zlbc+smUHqlsWzeXXDPlDw1Y+/4LWT4PDmqZ65swC/IRGQCwwqiIkKwsXAOAAdHj4iU7Aiw8M2CzQDFSui2KpNeeo5flvNCPWJMVHe3cwc17CnXxcIAXE7MEt80l/XzKrqww6ICQB5jcEeWKxzQc8ksaJHvm75k42xKYfFlSuM58B9e+u9cfh0K65hzWQW6WeZTJzluWcYTWQabjV++AHKMnB/kJVnQF64+7kqMrSvGdqx17HvaIo/hZe6qVBrgQs913AmjBVvP42qC+9uXsV17ejD8yW7hDLDAaZ8JPJ8BL4Zjb++I8mtoKq+EB/F9QlJ2swo4+pMEzFLFlGQkfaTE6t/yDK4S2oDRhu3B5cot70WhAFGo+Vmyjudl1tcSxSkhvFjIVCxe9kNMhJorWwhkdGc++wI37H8TAJhriE4erRZM9CUxsfqOnhmWvkEncEbzlA+SPCe6D3s1wpCY9Qg6MKWgikqZtV4QTyXJDf+ELgDD5W8WjZqa5ZKFJlllG8dVaa8GCyeQm1wAPGiSXneT7ATV/uLnwDBa32gkqO3UDfbftW5ypsfT3AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIDhIWGiA=
',1795539840950);
CREATE TABLE log_run (
  first_seq    integer primary key,
  first_index  integer not null
) strict;
insert into log_run values(1,0);
CREATE TABLE witnessed_log (
  origin           text not null primary key,
  added_at         integer not null,
  -- Null while it is cosigned.
  removed_at       integer,
  -- The newest checkpoint that was cosigned; 0 before the first.
  size             integer not null default 0,
  root             blob,
  -- The same as its log signed it, and as the witness cosigned it.
  note             text,
  cosignature      text,
  -- The name of the witness that cosigned it.
  cosigner         text,
  cosigned_at      integer,
  -- Two checkpoints of one size that the log signed, with different trees: the
  -- one that had been cosigned, and the other.
  forked_note      text,
  contradiction    text,
  contradicted_at  integer
) strict, without rowid;
CREATE TABLE witnessed_log_key (
  origin        text not null references witnessed_log on delete cascade,
  verifier_key  text not null,
  primary key (origin, verifier_key)
) strict, without rowid;
CREATE TABLE log_witness (
  verifier_key  text not null primary key,
  url           text not null,
  added_at      integer not null
) strict, without rowid;
CREATE TABLE log_cosignature (
  origin        text not null,
  verifier_key  text not null references log_witness on delete cascade,
  -- The tree that it cosigned; 0 before it did.
  size          integer not null default 0,
  -- Its cosignature of that tree, and when it made it.
  cosignature   text,
  cosigned_at   integer,
  -- Why it did not cosign when it was asked last, and since when it does not;
  -- null where it did.
  fault         text,
  fault_since   integer,
  primary key (origin, verifier_key)
) strict, without rowid;
CREATE TABLE notice (
  event        text not null primary key,
  -- When it began this time, and when it ended; null while it lasts.
  since        integer not null,
  ended_at     integer,
  -- When a message of it was written last; null: none yet.
  told_at      integer,
  -- Whether one was of this time.
  is_told      integer not null default 0 check (is_told in (0, 1)),
  -- Counts, as JSON.
  facts        text not null
) strict, without rowid;
CREATE TABLE outgoing (
  -- In the order in which they were written.
  message_seq  integer primary key,
  message_id   text not null unique,
  -- SHA-256 of the target's setting.
  target       text not null,
  -- Of two that wait and are about the same, one is enough; null: of none.
  about        text,
  -- The message, under a sealing key: it may hold a link. Null once sent.
  sealed       blob,
  created_at   integer not null,
  expires_at   integer not null,
  next_try_at  integer not null,
  attempts     integer not null default 0,
  sent_at      integer
) strict;
CREATE INDEX outgoing_by_try on outgoing (next_try_at) where sent_at is null;
CREATE UNIQUE INDEX outgoing_waiting on outgoing (target, about)
  where sent_at is null;
CREATE TABLE notify_target (
  target         text not null primary key,
  sent_at        integer,
  -- Since when nothing came through, and why; null where it does.
  failing_since  integer,
  fault          text
) strict, without rowid;
CREATE TABLE operator_act (
  act_seq      integer primary key,
  at           integer not null,
  operator_id  text not null,
  act          text not null,
  -- An account or an invitation; null where the act is about none.
  subject_id   text,
  detail       text
) strict;
delete from sqlite_sequence;
insert into sqlite_sequence values('server_name',1);
insert into sqlite_sequence values('feed',4);
pragma application_id = 1936159341;
pragma user_version = 1;
