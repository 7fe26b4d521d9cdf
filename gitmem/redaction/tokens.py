"""Tokens that their providers made to be recognised: the table behind the rules.

A row has four columns, two spaces or more apart: the rule's name, what people see, the
prefix (a pattern of fixed width), and what follows it. The last takes all that can
belong to a token, however long: what it leaves behind is kept as text. What a row finds
is one long word (`gitmem.redaction.rule.long_words`). The shapes are those of the providers'
documentation; where it gives none, those that public scanners agree on.
"""

# ruff: noqa: E501 - a row of the table is a line

TOKENS = r"""
anthropic     sk-ant-api03-…      sk-ant-       [\w-]{20,}+
openrouter    sk-or-v1-…          sk-or-v1-     [\w-]{32,}+
langfuse      sk-lf-…             sk-lf-        [a-f0-9-]{36,}+
helicone      sk-helicone-…       sk-helicone-  [\w-]{20,}+
openai        sk-proj-…           sk-proj-      [\w-]{20,}+
openai        sk-svcacct-…        sk-svcacct-   [\w-]{20,}+
openai        sk-admin-…          sk-admin-     [\w-]{20,}+
openai        sk-…                sk-           [A-Za-z0-9]{32,}+
openai        sess-…              sess-         [A-Za-z0-9]{40,}+
litellm       sk-… (of 22)        sk-           (?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9_-]{22}(?![\w-])
elevenlabs    sk_…                sk_           [a-f0-9]{48,}+
novita        sk_… (of 43)        sk_           (?=[A-Za-z]{0,42}\d)(?=[a-z0-9]{0,42}[A-Z])[A-Za-z0-9]{43}(?![A-Za-z0-9])
hugging-face  hf_…                hf_           [A-Za-z0-9]{30,}+
hugging-face  api_org_…           api_org_      [A-Za-z0-9]{30,}+
groq          gsk_…               gsk_          [A-Za-z0-9]{40,}+
perplexity    pplx-…              pplx-         [A-Za-z0-9]{40,}+
replicate     r8_…                r8_           [A-Za-z0-9]{37,}+
xai           xai-…               xai-          [A-Za-z0-9]{70,}+
cerebras      csk-…               csk-          [a-z0-9]{40,}+
nvidia        nvapi-…             nvapi-        [\w-]{60,}+
together      tgp_v1_…            tgp_v1_       [\w-]{40,}+
fireworks     fw_…                fw_           (?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{22,}+
voyage        pa-…                pa-           (?=[\w-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])
jina          jina_…              jina_         [\w-]{60,}+
firecrawl     fc-…                fc-           [a-f0-9]{32}(?![A-Za-z0-9])
tavily        tvly-…              tvly-         [\w-]{28,}+
llamaindex    llx-…               llx-          [\w-]{40,}+
pinecone      pcsk_…              pcsk_         \w{50,}+
langsmith     lsv2_pt_…           lsv2_[ps][tk]_  \w{32,}+
wandb         wandb_v1_…          wandb_v1_     \w{40,}+
kaggle        KGAT_…              KGAT_         [A-Za-z0-9]{32,}+
anyscale      esecret_…           esecret_      [a-z0-9]{26,}+
modal         ak-…, as-…          ak-           (?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}(?![\w-])
modal         ak-…, as-…          as-           (?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}(?![\w-])
runpod        rpa_…               rpa_          [A-Z0-9]{36,}+
e2b           e2b_…               e2b_          [a-f0-9]{40,}+
browserbase   bb_live_…           bb_live_      [\w-]{20,}+
cursor        key_…               key_          [a-f0-9]{64,}+
posthog       phx_…, phs_…        ph[xsr]_      [A-Za-z0-9]{36,}+
brave         BSA…                BSA           (?=[A-Za-z_-]{0,27}\d)(?=[\dA-Z_-]{0,27}[a-z])[\w-]{28}(?![\w-])
devin         apk_user_…          apk_          (?:user_)?[A-Za-z0-9]{50,}+=*
mem0          m0-…                m0-           [A-Za-z0-9]{40}(?![A-Za-z0-9-])
apify         apify_api_…         apify_api_    [A-Za-z0-9]{34,}+
lambda        secret_….…          secret_       [\w-]{20,60}\.[A-Za-z0-9]{32}(?![A-Za-z0-9])
logfire       pylf_v1_…           pylf_v        \d_[a-z]{2,4}_[A-Za-z0-9]{40,}+
coderabbit    cr-…                cr-           [a-f0-9]{58,}+
github        ghp_…, ghs_…        gh[opusr]_    \w{36,}+(?:\.[\w-]++)*+
github        github_pat_…        github_pat_   \w{30,}+
gitlab        glpat-…, glptt-…    gl(?:pat|cbt|ptt|oas|imt|rtr)-  [\w-]{20,}+(?:\.[\w-]++)*+
gitlab        gldt-…, glrt-…      gl[drfw]t-    [\w-]{20,}+(?:\.[\w-]++)*+
gitlab        glsoat-…, glffct-…  gl(?:soa|ffc)t-  [\w-]{20,}+
gitlab        glagent-…           glagent-      [\w-]{40,}+
gitlab        GR1348941…          GR1348941     [\w-]{20,}+
atlassian     ATATT3…             ATATT3        [\w=-]{60,}+
bitbucket     ATBB…               ATBB          [A-Za-z0-9]{28,}+
bitbucket     ATCTT3…             ATCTT3        [\w=-]{60,}+
bitbucket     BBDC-…              BBDC-         [\w+/-]{40,}+
trello        ATTA…               ATTA          [A-Fa-f0-9]{60,}+
npm           npm_…               npm_          [A-Za-z0-9]{36,}+
pypi          pypi-AgE…           pypi-AgE      [\w-]{50,}+
rubygems      rubygems_…          rubygems_     [a-f0-9]{48,}+
crates-io     cio…                cio           [A-Za-z0-9]{32}(?![A-Za-z0-9])
clojars       CLOJARS_…           CLOJARS_      [A-Za-z0-9]{60,}+
nuget         oy2…                oy2           [a-z0-9]{43}(?![A-Za-z0-9])
docker        dckr_pat_…          dckr_[po]at_  [\w-]{24,}+
docker        SWMTKN-1-…          SWMTKN-1-     [a-z0-9]{50}-[a-z0-9]{25,}+
docker        SWMKEY-1-…          SWMKEY-1-     [A-Za-z0-9+/]{43,}+
jfrog         AKCp…               AKCp          [A-Za-z0-9]{60,}+
jfrog         cmVmdGtu…           cmVmdGtu      [A-Za-z0-9]{50,}+
buildkite     bkua_…, bkaj_…      bk[a-z][a-z]_  [\w-]{40,}+
circleci      CCIPAT_…            CCIP(?:AT|RJ)_  \w{40,}+
harness       pat.….….…           [ps]at\.      [\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20,}+
octopus       API-…               API-          (?=[A-Z]{0,25}\d)[A-Z0-9]{26,}+
sonarqube     squ_…, sqp_…        sq[apu]_      [a-f0-9]{40,}+
snyk          snyk_uat.…          snyk_[us]at\.  [\w.-]{30,}+
sourcegraph   sgp_…               sgp_          \w{40,}+
codesandbox   csb_v1_…            csb_v1_       [\w-]{40,}+
depot         depot_project_…     depot_        (?:project|org|user)_[a-f0-9]{60,}+
jsr           jsrd_…, jsrp_…      jsr[dp]_      [A-Za-z0-9]{36,}+
trigger-dev   tr_prod_…           tr_           (?:prod|dev|stg|preview|pat)_[A-Za-z0-9]{20,}+
inngest       signkey-prod-…      signkey-      (?:prod|test|branch)-[a-f0-9]{32,}+
prefect       pnu_…, pnb_…        pn[ub]_       [A-Za-z0-9]{36,}+
infracost     ico-…               ico-          [A-Za-z0-9]{32}(?![A-Za-z0-9-])
launchdarkly  api-…, sdk-…        api-          [a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}(?![\w-])
launchdarkly  api-…, sdk-…        sdk-          [a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}(?![\w-])
statsig       secret-…            secret-       [A-Za-z0-9]{40,}+
stytch        secret-live-…       secret-       (?:live|test)-[\w-]{36,}+=*
figma         figd_…              fig[dour]_    [\w-]{36,}+
linear        lin_api_…           lin_api_      [A-Za-z0-9]{40,}+
linear        lin_oauth_…         lin_oauth_    [A-Za-z0-9]{40,}+
notion        ntn_…               ntn_          [A-Za-z0-9]{40,}+
notion        secret_…            secret_       [A-Za-z0-9]{43}(?![A-Za-z0-9])
clickup       pk_…_…              pk_           \d{4,12}_[A-Z0-9]{32,}+
asana         1/…:…               [12]/         (?:\d{10,20}/)?\d{10,20}:[a-f0-9]{32,}+
typeform      tfp_…               tfp_          [\w.=-]{40,}+
contentful    CFPAT-…             CFPAT-        [\w-]{40,}+
readme        rdme_…              rdme_         [a-z0-9]{60,}+
gitbook       gb_api_…            gb_api_       [A-Za-z0-9]{40,}+
adobe         p8e-…               p8e-          [A-Za-z0-9]{32,}+
frame-io      fio-u-…             fio-u-        [\w-]{60,}+
postman       PMAK-…              PMAK-         [a-f0-9]{24}-[a-f0-9]{34,}+
wakatime      waka_…              waka_         [a-f0-9-]{36,}+
sentry        sntrys_…, sntryu_…  sntry[su]_    [\w+/=-]{50,}+
aws           AKIA…, ASIA…        AKIA          [A-Z0-9]{16}(?![A-Za-z0-9])
aws           AKIA…, ASIA…        ASIA          [A-Z0-9]{16}(?![A-Za-z0-9])
aws           ABIA…, ACCA…        ABIA          [A-Z0-9]{16}(?![A-Za-z0-9])
aws           ABIA…, ACCA…        ACCA          [A-Z0-9]{16}(?![A-Za-z0-9])
aws           ABSK… (Bedrock)     ABSK          [A-Za-z0-9+/]{100,}+=*
aws           bedrock-api-key-…   bedrock-api-key-  [\w+/=-]{60,}+
aws           IQoJb3JpZ2lu… (session token)  IQoJb3JpZ2lu  [\w+/%-]{80,}+=*
aws           FwoGZXIvYXdz… (session token)  FwoGZXIvYXdz  [\w+/%-]{80,}+=*
aws           amzn.mws.…          amzn\.mws\.   [a-f0-9-]{36,}+
aws           da2-… (AppSync)     da2-          [a-z0-9]{26}(?![A-Za-z0-9-])
google        AIza…               AIza          [\w-]{35,}+
google        ya29.…              ya29\.        [\w.-]{20,}+
google        GOCSPX-…            GOCSPX-       [\w-]{20,}+
google        1//0…               1//0          [\w-]{40,}+
google        AQ.Ab…              AQ\.Ab        [\w-]{40,}+
firebase      AAAA…:… (server key)  AAAA        [\w-]{7}:[\w-]{120,}+
alibaba       LTAI…               LTAI          (?=[A-Za-z]{0,19}\d)[A-Za-z0-9]{14,26}(?![A-Za-z0-9])
tencent       AKID…               AKID          (?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{28,}+
yandex        AQVN…               AQVN          [\w-]{35,}+
yandex        y0_…                y0_           [\w-]{50,}+
yandex        t1.….…              t1\.          [\w-]{20,}+={0,2}\.[\w-]{80,}+={0,2}
ibm           ApiKey-…            ApiKey-       [a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}
scaleway      SCW…                SCW           (?=[A-Z]{0,16}\d)[A-Z0-9]{17}(?![A-Za-z0-9])
exoscale      EXO…                EXO           (?=[a-f]{0,23}\d)[a-f0-9]{24}(?![A-Za-z0-9])
digitalocean  dop_v1_…            do[oprs]_v1_  [a-f0-9]{60,}+
databricks    dapi…               dapi          [a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])
heroku        HRKU-AA…            HRKU-AA       [\w-]{50,}+
fly-io        fm2_…               fm2_          [\w+/=-]{80,}+
fly-io        fm1r_…              fm1[ar]_      [\w+/=-]{80,}+
fly-io        fo1_…               fo1_          [\w-]{43,}+
render        rnd_…               rnd_          [A-Za-z0-9]{28,}+
vercel        vcp_…, vck_…        vc[piark]_    [\w-]{24,}+
netlify       nfp_…, nfc_…        nf[pcoub]_    [A-Za-z0-9]{36,}+
scalingo      tk-us-…             tk-us-        [\w-]{48,}+
deno          ddp_…, ddo_…        dd[opw]_      [A-Za-z0-9]{36,}+
val-town      vtwn_…              vtwn_         [A-Za-z0-9]{26,}+
zuplo         zpka_…              zpka_         [a-f0-9]{32}_[a-f0-9]{8}
porkbun       pk1_…, sk1_…        [ps]k1_       [a-f0-9]{64}(?![A-Za-z0-9])
planetscale   pscale_tkn_…        pscale_       (?:tkn|oauth|pw)_[\w.=-]{30,}+
neon          napi_…              napi_         [a-z0-9]{40,}+
supabase      sbp_…               sbp_          (?:v0_)?[a-f0-9]{40,}+
supabase      sb_secret_…         sb_secret_    [\w-]{24,}+
convex        eyJ2MiI6… (Convex)  eyJ2MiI6      [\w+/-]{30,}+=*
tinybird      p.eyJ….…            p\.eyJ        [\w-]{40,}+\.[\w-]{20,}+
mongodb       mdb_sa_sk_…         mdb_sa_sk_    [\w-]{30,}+
xata          xau_…               xau_          [A-Za-z0-9]{36,}+
aiven         AVNS_…              AVNS_         [\w-]{16,}+
cockroach     CCDB1_…             CCDB1_        \w{20,}_\w{30,}+
clickhouse    4b1d…               4b1d          (?=[a-f0-9]{0,37}[A-Zg-z])[A-Za-z0-9]{38}(?![A-Za-z0-9])
confluent     cflt…               cflt          (?=[a-z]{0,59}[A-Z0-9])[A-Za-z0-9+/]{56,}+
elastic       essu_…              essu_         [\w+/=-]{40,}+
cloudflare    v1.0-… (origin CA)  v1\.0-        [a-f0-9]{24}-[a-f0-9]{100,}+
cloudflare    cfut_…, cfat_…      cf[ua]t_      [A-Za-z0-9]{40,}+
cloudflare    cfk_…               cfk_          [A-Za-z0-9]{40,}+
cloudflare    eyJhIjoi… (tunnel)  eyJhIjoi      [\w+/-]{100,}+=*
doppler       dp.pt.…, dp.st.…    dp\.          (?:[cps]t|sa|scim|audit)\.[\w.-]{40,}+
infisical     st.….….…            st\.          [\w-]{20,}\.[a-f0-9]{20,}\.[a-f0-9]{20,}+
vault         hvs.…, hvb.…        hv[sbr]\.     [\w-]{24,}+
pulumi        pul-…               pul-          [a-f0-9]{40,}+
tailscale     tskey-auth-…        tskey-        [a-z]{2,10}-[\w-]{12,}+
nebula        dnkey-…             dnkey-        [A-Z2-7]{26}-[A-Z2-7]{52,}+
openshift     sha256~…            sha256~       [\w-]{43,}+
k3s           K10…::…             K10           [a-f0-9]{64}::(?:[\w-]{1,40}:)?[\w.]{16,}+
rancher       token-…:…           token-        [a-z0-9]{5}:[a-z0-9]{50,}+
1password     ops_eyJ…            ops_eyJ       [\w+/=-]{100,}+
1password     A3-…-… (secret key)  A3-          [A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}
bitwarden     0.….…:…             0\.           [a-f0-9-]{36}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{20,}+=*
ory           ory_pat_…           ory_          (?:pat|at|rt|ac|wat)_[\w.-]{32,}+
unkey         unkey_…             unkey_        (?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{22,}+
age           AGE-SECRET-KEY-1…   AGE-SECRET-KEY-1  [A-Z0-9]{50,}+
paseto        v4.local.…          v[1-4]\.local\.  [\w-]{40,}+(?:\.[\w-]++)?
paseto        v4.local.…          v[1-4]\.public\.  [\w-]{40,}+(?:\.[\w-]++)?
paserk        k4.secret.…         k[1-4]\.local  (?:-pw)?\.[\w-]{40,}+
paserk        k4.secret.…         k[1-4]\.secret  (?:-pw)?\.[\w-]{40,}+
nats          SU…, SA…            S[ACNOPUX]    [A-Z2-7]{56}(?![A-Za-z0-9])
dynatrace     dt0c01.…            dt0[a-z][0-9][0-9]\.  [A-Z0-9]{24}\.[A-Z0-9]{60,}+
grafana       glsa_…              glsa_         \w{32,}+
grafana       glc_…               glc_          [\w+/=]{32,}+
grafana       eyJrIjoi…           eyJrIjoi      [\w+/=-]{60,}+
new-relic     NRAK-…              NR(?:AK|II|RA|BR|AA)-  [A-Za-z0-9-]{19,}+
honeycomb     hcaik_…             hc[abx][a-z][a-z]_  [A-Za-z0-9]{40,}+
axiom         xaat-…, xapt-…      xa[ap]t-      [a-f0-9-]{36,}+
datadog       ddapp_…             ddapp_        \w{34,}+
checkly       cu_…                cu_           [a-f0-9]{32}(?![A-Za-z0-9])
pagerduty     u+…                 u\+           (?=[\w-]{0,17}\d)(?=[\w-]{0,17}[A-Z])[\w-]{18}(?![\w-])
slack         xoxb-…, xoxp-…      xox[abceoprs]  (?:\.xox[bp])?-\d[\w-]{18,}+
slack         xoxd-…              xoxd-         [\w%+/-]{40,}+=*
slack         xapp-1-…            xapp-         \d-[\w-]{30,}+
discord       M….….…             [MNO]         [\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}+
matrix        syt_…               syt_          [\w+/=-]{4,}_[A-Za-z]{20}_\w{6,}+
twitch        oauth:…             oauth:        (?=[a-z]{0,29}\d)[a-z0-9]{30}(?![A-Za-z0-9])
sendgrid      SG.….…              SG\.          [\w-]{16,32}\.[\w-]{32,}+
brevo         xkeysib-…           xkeysib-      [a-f0-9]{64}-[A-Za-z0-9]{16,}+
brevo         xsmtpsib-…          xsmtpsib-     [a-f0-9]{64}-[A-Za-z0-9]{16,}+
mailersend    mlsn.…              mlsn\.        [a-f0-9]{60,}+
resend        re_…_…              re_           [A-Za-z0-9]{8}_[A-Za-z0-9]{20,}+
mandrill      md-…                md-           (?=[A-Za-z_-]{0,21}\d)(?=[a-z\d_-]{0,21}[A-Z])[\w-]{22}(?![\w-])
klaviyo       pk_…                pk_           [a-f0-9]{34}(?![A-Za-z0-9])
hubspot       pat-na1-…           pat-          [a-z]{2}\d-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}
intercom      dG9rOj…             dG9rOj        [A-Za-z0-9+/]{40,}+=*
salesforce    00D…!…              00D           [A-Za-z0-9]{12,15}![\w.]{60,}+
nylas         nyk_v0_…            nyk_v0_       \w{30,}+
mapbox        sk.eyJ….…           sk\.eyJ       [\w-]{50,}+\.[\w-]{20,}+
twilio        SK…                 SK            [a-f0-9]{32}(?![A-Za-z0-9])
stripe        sk_live_…           [sr]k_(?:live|test|prod)_  [A-Za-z0-9]{10,}+
stripe        whsec_…             whsec_        [A-Za-z0-9+/]{24,}+=*
square        sq0atp-…, sq0csp-…  sq0(?:atp|csp)-  [\w-]{22,}+
square        EAAA…               EAAA          [\w-]{60}(?![\w-])
paypal        access_token$…$…$…  access_token\$  (?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32,}+
adyen         AQE…                AQE           [a-z]hm[A-Za-z0-9+/=_-]{60,}+
plaid         access-production-…  access-       (?:production|sandbox|development)-[a-f0-9-]{36,}+
flutterwave   FLWSECK-…           FLWSECK       (?:_TEST)?-[a-z0-9]{32}-X
paddle        pdl_live_apikey_…   pdl_          (?:live|sdbx)_apikey_\w{40,}+
polar         polar_oat_…         polar_        (?:oat|pat|whs|cs|cst|at_o|at_u|rt_o|rt_u|ci|rst)_[A-Za-z0-9]{30,}+
shopify       shpat_…, shpss_…    shp(?:at|ca|pa|ss|ua|rt)_  [A-Fa-f0-9]{32,}+
shopify       atkn_…              atkn_         [A-Za-z0-9]{32,}+
wix           IST.eyJ…            IST\.eyJ      [\w.-]{100,}+
shippo        shippo_live_…       shippo_       (?:live|test)_[a-f0-9]{40,}+
duffel        duffel_live_…       duffel_       (?:live|test)_[\w=-]{40,}+
mollie        live_…              live_         (?=[A-Za-z]{0,29}\d)[A-Za-z0-9]{30,40}(?![A-Za-z0-9])
easypost      EZAK…               EZ[AT]K       [A-Za-z0-9]{54,}+
meta          EAA…                EAA           [A-Za-z0-9]{80,}+
instagram     IGQV…, IGAA…        IG(?:QV|AA)   [\w-]{80,}+=*
x             AAAA…%3D…           AAAAAAAAAAAAAAAAAAAAA  [A-Za-z0-9]{5,60}%[A-Za-z0-9%]{30,}+
linkedin      WPL_AP1.…           WPL_AP1\.     [\w.=/+-]{10,}+
dropbox       sl.…                sl\.          (?:u\.)?(?=[\w-]{0,60}\d)[\w-]{70,}+
airtable      pat….…              pat           [A-Za-z0-9]{14}\.[a-f0-9]{64,}+
adafruit      aio_…               aio_          (?=[A-Za-z]{0,27}\d)[A-Za-z0-9]{28}(?![A-Za-z0-9])
riot          RGAPI-…             RGAPI-        [a-f0-9-]{36,}+
extended-key  xprv…               xprv          [1-9A-HJ-NP-Za-km-z]{100,}+
nostr         nsec1…              nsec1         [a-z0-9]{58}(?![A-Za-z0-9])
sui           suiprivkey1…        suiprivkey1   [a-z0-9]{50,}+
"""
