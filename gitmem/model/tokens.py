"""Tokens that their providers made to be recognised: the table behind the rules.

A row has four columns, two spaces or more apart: the rule's name, what people see, the
prefix (a pattern of fixed width), and what follows it. The last takes all that can
belong to a token, however long: what it leaves behind is kept as text.
"""

TOKENS = r"""
anthropic     sk-ant-api03-…      sk-ant-       [\w-]{20,}+
openrouter    sk-or-v1-…          sk-or-v1-     [\w-]{32,}+
openai        sk-proj-…           sk-proj-      [\w-]{20,}+
openai        sk-svcacct-…        sk-svcacct-   [\w-]{20,}+
openai        sk-admin-…          sk-admin-     [\w-]{20,}+
openai        sk-…                sk-           [A-Za-z0-9]{32,}+
hugging-face  hf_…                hf_           [A-Za-z0-9]{30,}+
hugging-face  api_org_…           api_org_      [A-Za-z0-9]{30,}+
groq          gsk_…               gsk_          [A-Za-z0-9]{40,}+
perplexity    pplx-…              pplx-         [A-Za-z0-9]{40,}+
replicate     r8_…                r8_           [A-Za-z0-9]{37,}+
xai           xai-…               xai-          [A-Za-z0-9]{70,}+
tavily        tvly-…              tvly-         [\w-]{28,}+
pinecone      pcsk_…              pcsk_         \w{50,}+
langsmith     lsv2_pt_…           lsv2_[ps][tk]_  \w{32,}+
github        ghp_…, ghs_…        gh[opusr]_    \w{36,}+(?:\.[\w-]++)*+
github        github_pat_…        github_pat_   \w{30,}+
gitlab        glpat-…, glptt-…    gl(?:pat|cbt|ptt|oas|imt)-  [\w-]{20,}+(?:\.[\w-]++)*+
gitlab        gldt-…, glrt-…      gl[drfw]t-    [\w-]{20,}+(?:\.[\w-]++)*+
gitlab        glsoat-…, glffct-…  gl(?:soa|ffc)t-  [\w-]{20,}+
gitlab        glagent-…           glagent-      [\w-]{40,}+
gitlab        GR1348941…          GR1348941     [\w-]{20,}+
atlassian     ATATT3…             ATATT3        [\w=-]{60,}+
bitbucket     ATBB…               ATBB          [A-Za-z0-9]{28,}+
npm           npm_…               npm_          [A-Za-z0-9]{36,}+
pypi          pypi-AgE…           pypi-AgE      [\w-]{50,}+
rubygems      rubygems_…          rubygems_     [a-f0-9]{48,}+
crates-io     cio…                cio           [A-Za-z0-9]{32}(?![A-Za-z0-9])
clojars       CLOJARS_…           CLOJARS_      [A-Za-z0-9]{60,}+
docker        dckr_pat_…          dckr_[po]at_  [\w-]{24,}+
jfrog         AKCp…               AKCp          [A-Za-z0-9]{60,}+
buildkite     bkua_…              bkua_         [a-f0-9]{40,}+
circleci      CCIPAT_…            CCIP(?:AT|RJ)_  \w{40,}+
sourcegraph   sgp_…               sgp_          \w{40,}+
figma         figd_…              figd_         [\w-]{36,}+
linear        lin_api_…           lin_api_      [A-Za-z0-9]{40,}+
notion        ntn_…               ntn_          [A-Za-z0-9]{40,}+
postman       PMAK-…              PMAK-         [a-f0-9]{24}-[a-f0-9]{34,}+
sentry        sntrys_…, sntryu_…  sntry[su]_    [\w+/=-]{50,}+
aws           AKIA…, ASIA…        A[KS]IA       [A-Z0-9]{16}(?![A-Za-z0-9])
google        AIza…               AIza          [\w-]{35,}+
google        ya29.…              ya29\.        [\w.-]{20,}+
google        GOCSPX-…            GOCSPX-       [\w-]{20,}+
google        1//0…               1//0          [\w-]{40,}+
digitalocean  dop_v1_…            do[opr]_v1_   [a-f0-9]{60,}+
databricks    dapi…               dapi          [a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])
heroku        HRKU-AA…            HRKU-AA       [\w-]{50,}+
fly-io        fm2_…               fm2_          [\w+/=-]{80,}+
planetscale   pscale_tkn_…        pscale_       (?:tkn|oauth|pw)_[\w.=-]{30,}+
supabase      sbp_…               sbp_          [a-f0-9]{40,}+
supabase      sb_secret_…         sb_secret_    [\w-]{24,}+
cloudflare    v1.0-… (origin CA)  v1\.0-        [a-f0-9]{24}-[a-f0-9]{100,}+
doppler       dp.pt.…, dp.st.…    dp\.          (?:[cps]t|sa|scim|audit)\.[\w.-]{40,}+
vault         hvs.…, hvb.…        hv[sbr]\.     [\w-]{24,}+
pulumi        pul-…               pul-          [a-f0-9]{40,}+
tailscale     tskey-auth-…        tskey-        [a-z]{2,10}-[\w-]{12,}+
openshift     sha256~…            sha256~       [\w-]{43,}+
1password     ops_eyJ…            ops_eyJ       [\w+/=-]{100,}+
age           AGE-SECRET-KEY-1…   AGE-SECRET-KEY-1  [A-Z0-9]{50,}+
dynatrace     dt0c01.…            dt0[a-z]\d\d\.  [A-Z0-9]{24}\.[A-Z0-9]{60,}+
grafana       glsa_…              glsa_         \w{32,}+
grafana       glc_…               glc_          [\w+/=]{32,}+
new-relic     NRAK-…              NRAK-         [A-Z0-9]{27,}+
slack         xoxb-…, xoxp-…      xox[abceoprs]  (?:\.xox[bp])?-\d[\w-]{18,}+
discord       M….….…             [MNO]         [\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}+
slack         xapp-1-…            xapp-         \d-[\w-]{30,}+
sendgrid      SG.….…              SG\.          [\w-]{16,32}\.[\w-]{32,}+
brevo         xkeysib-…           xkeysib-      [a-f0-9]{64}-[A-Za-z0-9]{16,}+
mapbox        sk.eyJ….…           sk\.eyJ       [\w-]{50,}+\.[\w-]{20,}+
twilio        SK…                 SK            [a-f0-9]{32}(?![A-Za-z0-9])
stripe        sk_live_…           [sr]k_(?:live|test|prod)_  [A-Za-z0-9]{10,}+
stripe        whsec_…             whsec_        [A-Za-z0-9+/]{24,}+=*
square        sq0atp-…, sq0csp-…  sq0(?:atp|csp)-  [\w-]{22,}+
shopify       shpat_…, shpss_…    shp(?:at|ca|pa|ss)_  [A-Fa-f0-9]{32,}+
easypost      EZAK…               EZ[AT]K       [A-Za-z0-9]{54,}+
airtable      pat….…              pat           [A-Za-z0-9]{14}\.[a-f0-9]{64,}+
"""
